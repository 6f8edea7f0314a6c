import { cx } from '@fixpoint/ui/cx.ts';
import css from '@fixpoint/ui/drawings/drawing.module.css';
import { type Field, offsetAt, route } from '@fixpoint/ui/drawings/field.ts';
import { type CSSProperties, memo, useEffect, useState } from 'react';
import hero from './hero-drawing.module.css';

const field: Field = { width: 600, height: 420, x: 348, y: 196, gap: 31, reach: 150, wander: 52 };
const origin = (period: number) =>
  ({ '--x': `${field.x}px`, '--y': `${field.y}px`, '--period': `${period}s` }) as CSSProperties;

/** The two groups sway at different rates, so that positions hardly repeat. */
const groups = [
  { period: 11, routes: [-5, -2, 0, 5] },
  { period: 14, routes: [-3, -1, 2, 3] },
];

/**
 * Locations with changing public addresses, from the documentation ranges (RFC 5737), so that no
 * real address is shown.
 */
const places = [
  { id: 'cafe', route: 4, period: 6, addresses: ['198.51.100.23', '192.0.2.77', '198.51.100.140'] },
  { id: 'home', route: 1, period: 8, addresses: ['192.0.2.151', '192.0.2.38', '198.51.100.9'] },
  { id: 'phone', route: -4, period: 7, addresses: ['198.51.100.86', '198.51.100.211', '192.0.2.4'] },
] as const;
const FIXED = '203.0.113.42';

/** Position of a route's text from the left edge of the field. */
const WORDS_AT = 60;
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(2)}%`;

/** Automatic movement must end within 5 s (WCAG 2.2.2); hovering restarts it. */
const MOVING_MS = 5000;
/**
 * Delay from the settled page to the first movement, so that content below the hero loads first.
 */
const START_DELAY_MS = 1500;
/** Interval between changes of an address, ms. */
const TURN_MS = 1100;

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether the drawing moves, and how often an address has changed. */
function useTurns(settled: boolean) {
  // Every frame is painted, which would delay a phone that is still loading.
  const [moving, setMoving] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!settled) return;
    const start = setTimeout(() => setMoving(true), START_DELAY_MS);
    const end = setTimeout(() => setMoving(false), START_DELAY_MS + MOVING_MS);
    return () => {
      clearTimeout(start);
      clearTimeout(end);
    };
  }, [settled]);
  useEffect(() => {
    if (!moving || prefersReducedMotion()) return;
    const timer = setInterval(() => setTurn(count => count + 1), TURN_MS);
    return () => clearInterval(timer);
  }, [moving]);
  return { moving, turn, setMoving };
}

/** Memoised, so that a change of address does not render the routes again. */
const Routes = memo(() => (
  <svg className={hero.routes} viewBox={`0 0 ${field.width} ${field.height}`} aria-hidden="true">
    {groups.map(group => (
      <g key={group.period} className={css.sway} style={origin(group.period)}>
        {group.routes.map(n => (
          <Line key={n} route={n} />
        ))}
      </g>
    ))}
    {places.map(place => (
      <Way key={place.id} {...place} />
    ))}
    <circle className={css.point} cx={field.x} cy={field.y} r="15" />
  </svg>
));

const pathOf = (n: number) => route(field, n, -40, field.width + 40);

const Line = (props: { route: number }) => <path className={css.line} d={pathOf(props.route)} />;

/** A line with a moving packet. */
function Way(props: { route: number; period: number }) {
  const path = pathOf(props.route);
  return (
    <g>
      <path className={cx(css.line, css.strong)} d={path} />
      <path className={css.packet} style={origin(props.period)} pathLength={100} d={path} />
    </g>
  );
}

export type HeroWords = { cafe: string; home: string; phone: string; always: string };

/**
 * The product in one picture: addresses change by location, the address behind the point never
 * does. Hidden from screen readers, because the headline says the same.
 */
export function HeroDrawing({ words, settled }: { words: HeroWords; settled: boolean }) {
  const { moving, turn, setMoving } = useTurns(settled);
  return (
    <div
      className={cx(hero.scene, !moving && css.still)}
      onPointerEnter={() => setMoving(true)}
      onPointerLeave={() => setMoving(false)}
      aria-hidden="true"
    >
      <Routes />
      {places.map(({ id, route: n, addresses }, index) => {
        const address =
          addresses[Math.floor((turn + places.length - 1 - index) / places.length) % addresses.length];
        const top = percent(field.y + offsetAt(field, n, WORDS_AT), field.height);
        return (
          <p key={id} className={hero.place} style={{ top }}>
            <span className={hero.name}>{words[id]}</span>
            {/* A new key per address restarts the entry animation. */}
            <span key={address} className={cx(hero.address, 'mono')}>
              {address}
            </span>
          </p>
        );
      })}
      <p
        className={hero.fixed}
        style={{ left: percent(field.x, field.width), top: percent(field.y + 18, field.height) }}
      >
        <span className={cx(hero.ip, 'mono')}>{FIXED}</span>
        <span className={hero.always}>{words.always}</span>
      </p>
    </div>
  );
}
