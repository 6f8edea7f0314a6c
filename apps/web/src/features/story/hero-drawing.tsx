import { cx } from '@fixpoint/ui/cx.ts';
import css from '@fixpoint/ui/drawings/drawing.module.css';
import { type Field, offsetAt, route } from '@fixpoint/ui/drawings/field.ts';
import { type CSSProperties, memo, useEffect, useState } from 'react';
import hero from './hero-drawing.module.css';

const field: Field = { width: 600, height: 420, x: 348, y: 196, gap: 31, reach: 150, wander: 52 };
const origin = (period: number) =>
  ({ '--x': `${field.x}px`, '--y': `${field.y}px`, '--period': `${period}s` }) as CSSProperties;

/** Two groups sway at their own pace, so that no position ever quite returns. */
const groups = [
  { period: 11, routes: [-5, -2, 0, 5] },
  { period: 14, routes: [-3, -1, 2, 3] },
];

/**
 * Where somebody is, and the address that the world sees there: another one each time. All are of the ranges that
 * documents may use (RFC 5737), so that nobody's own address is on our page.
 */
const places = [
  { id: 'cafe', route: 4, period: 6, addresses: ['198.51.100.23', '192.0.2.77', '198.51.100.140'] },
  { id: 'home', route: 1, period: 8, addresses: ['192.0.2.151', '192.0.2.38', '198.51.100.9'] },
  { id: 'phone', route: -4, period: 7, addresses: ['198.51.100.86', '198.51.100.211', '192.0.2.4'] },
] as const;
const FIXED = '203.0.113.42';

/** Where the words of a route stand, from the left edge of the field. */
const WORDS_AT = 60;
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(2)}%`;

/** What starts by itself must end within 5 s (WCAG 2.2.2); pointing at the drawing sets it going again. */
const MOVING_MS = 5000;
/** From a settled page to the first movement: what still comes below the hero is there by then. */
const CALM_MS = 1500;
/** Between one changed address and the next, of another place. */
const TURN_MS = 1100;

const wantsRest = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether it moves, and how often an address has changed. */
function useTurns(settled: boolean) {
  // Each step of it is painted again, and would hold up whatever a phone has still to do.
  const [moving, setMoving] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!settled) return;
    const start = setTimeout(() => setMoving(true), CALM_MS);
    const rest = setTimeout(() => setMoving(false), CALM_MS + MOVING_MS);
    return () => {
      clearTimeout(start);
      clearTimeout(rest);
    };
  }, [settled]);
  useEffect(() => {
    if (!moving || wantsRest()) return;
    const timer = setInterval(() => setTurn(count => count + 1), TURN_MS);
    return () => clearInterval(timer);
  }, [moving]);
  return { moving, turn, setMoving };
}

/** One by one, so that the page answers in between; and once, however often an address changes. */
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

/** A line on which something travels. */
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
 * The product in one picture: from the café, from home, from the phone the address changes; what comes out of the one
 * point never does. Decoration for readers, whom the headline tells the same.
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
            {/* Another address is another element, which comes in. */}
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
