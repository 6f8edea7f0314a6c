import { type CSSProperties, useEffect, useState } from 'react';
import { cx } from '../cx.ts';
import css from './drawing.module.css';
import { type Field, route } from './field.ts';

const field: Field = { width: 860, height: 640, x: 520, y: 320, gap: 47, reach: 230, wander: 95 };
const origin = (period: number) =>
  ({ '--x': `${field.x}px`, '--y': `${field.y}px`, '--period': `${period}s` }) as CSSProperties;

/** Three groups sway at their own pace, so that no position ever quite returns. */
const groups = [
  { period: 11, routes: [-6, -3, 0, 3, 6] },
  { period: 8, routes: [-5, -2, 1, 4] },
  { period: 14, routes: [-4, -1, 2, 5] },
];
/** Routes with something on its way, and the seconds it takes from edge to edge. */
const packets = new Map([
  [-3, 6],
  [1, 8],
  [5, 7],
]);

/** What starts by itself must end within 5 s (WCAG 2.2.2); pointing at the drawing sets it going again. */
const movingMs = 5000;

/** Routes that wander, one point that stays. Fills its box, so give that a height; decoration for readers. */
export function HeroDrawing({ className }: { className?: string }) {
  const [moving, setMoving] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setMoving(false), movingMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <svg
      className={cx(css.hero, !moving && css.still, className)}
      onPointerEnter={() => setMoving(true)}
      onPointerLeave={() => setMoving(false)}
      viewBox={`0 0 ${field.width} ${field.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {groups.map(group => (
        <g key={group.period} className={css.sway} style={origin(group.period)}>
          {group.routes.map(n => {
            const path = route(field, n, -40, field.width + 40);
            const period = packets.get(n);
            return (
              <g key={n}>
                <path className={cx(css.line, period !== undefined && css.strong)} d={path} />
                {period !== undefined && (
                  <path className={css.packet} style={origin(period)} pathLength={100} d={path} />
                )}
              </g>
            );
          })}
        </g>
      ))}
      <circle className={css.point} cx={field.x} cy={field.y} r="19" />
    </svg>
  );
}
