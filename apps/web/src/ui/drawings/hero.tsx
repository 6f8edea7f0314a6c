import type { CSSProperties } from 'react';
import css from './drawing.module.css';
import { type Field, route } from './field.ts';

const field: Field = { width: 760, height: 600, x: 470, y: 300, gap: 44, reach: 210, wander: 52 };
const origin = (period: number) =>
  ({ '--x': `${field.x}px`, '--y': `${field.y}px`, '--period': `${period}s` }) as CSSProperties;
/** Three groups sway at their own pace, so that no position ever quite returns. */
const groups = [
  { period: 17, routes: [-6, -3, 0, 3, 6] },
  { period: 13, routes: [-5, -2, 1, 4] },
  { period: 23, routes: [-4, -1, 2, 5] },
];
const packets = [
  { n: -3, period: 11 },
  { n: 2, period: 14 },
  { n: 5, period: 17 },
];

/** Routes that wander, one point that stays. Fills its box, so give that a height; decoration for readers. */
export function HeroDrawing({ className }: { className?: string }) {
  return (
    <svg
      className={className ?? css.hero}
      viewBox={`0 0 ${field.width} ${field.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {groups.map(group => (
        <g key={group.period} className={css.sway} style={origin(group.period)}>
          {group.routes.map(n => (
            <path key={n} className={css.line} d={route(field, n, -20, field.width + 20)} />
          ))}
          {packets
            .filter(packet => group.routes.includes(packet.n))
            .map(packet => (
              <path
                key={packet.n}
                className={css.packet}
                style={origin(packet.period)}
                pathLength={100}
                d={route(field, packet.n, -20, field.width + 20)}
              />
            ))}
        </g>
      ))}
      <circle className={css.point} cx={field.x} cy={field.y} r="17" />
    </svg>
  );
}
