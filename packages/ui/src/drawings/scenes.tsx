import type { CSSProperties, ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './drawing.module.css';
import { type Field, route, smooth } from './field.ts';

export type SceneKind = 'empty' | 'error' | 'offline' | 'lost' | 'loading';

/** Same size as in `scene.tsx`. */
const field: Field = { width: 240, height: 120, x: 120, y: 60, gap: 17, reach: 46, wander: 9 };
const all = [-3, -2, -1, 0, 1, 2, 3];
const origin = { '--x': `${field.x}px`, '--y': `${field.y}px` } as CSSProperties;
const left = field.x - 22;
const right = field.x + 22;

const lines = (from: number, to: number, className?: string) =>
  all.map(n => (
    <path key={`${n} ${from}`} className={cx(css.line, className)} d={route(field, n, from, to)} />
  ));
const point = <circle className={css.point} cx={field.x} cy={field.y} r="8" />;
const vacant = <circle className={css.vacant} cx={field.x} cy={field.y} r="8" />;

/** Routes that never meet. */
const parallel = () =>
  all.map(n => {
    const xs = [0, 40, 80, 120, 160, 200, 240];
    const points = xs.map((x, index) => ({ x, y: field.y + n * 14 + Math.sin(index * 1.1 + n) * 5 }));
    return <path key={n} className={css.line} d={smooth(points)} />;
  });

const scenes: Record<SceneKind, () => ReactNode> = {
  // Everything is ready; the point is not set.
  empty: () => (
    <>
      {lines(0, left)}
      {lines(right, field.width)}
      {vacant}
    </>
  ),
  // One side has come apart.
  error: () => (
    <>
      {lines(0, field.x)}
      {lines(right + 6, field.width, css.broken)}
      {point}
    </>
  ),
  // Nothing comes in.
  offline: () => (
    <>
      {lines(0, 52, css.broken)}
      {lines(188, field.width, css.broken)}
      {point}
    </>
  ),
  // The routes miss the point.
  lost: () => (
    <>
      {parallel()}
      <circle className={css.point} cx="206" cy="6" r="8" />
    </>
  ),
  loading: () => (
    <>
      <g className={css.turn} style={origin}>
        {lines(40, 200)}
      </g>
      {point}
    </>
  ),
};

/** Lines of a drawing, inside the `<svg>` of `scene.tsx`. */
export const SceneLines = ({ kind }: { kind: SceneKind }) => scenes[kind]();
