import { cx } from '@fixpoint/ui/cx.ts';
import type { CSSProperties } from 'react';
import { land } from './land.ts';
import css from './region-map.module.css';

/** A location in degrees. `full`: drawn hollow, because nothing is free there. */
export type MapPoint = { id: string; lon: number; lat: number; label: string; full?: boolean };

/** x, y, width and height in the coordinates of `land`. */
const areas = { world: [0, 4, 360, 132], asia: [230, 22, 100, 72] } as const;

/** Locations on a map. Import it lazily: the outline of the world is 2 kB. */
export function RegionMap(props: { label: string; points: readonly MapPoint[]; area?: keyof typeof areas }) {
  const { label, points, area = 'world' } = props;
  const [x, y, width, height] = areas[area];
  return (
    <figure className={css.map} aria-label={label}>
      <svg
        className={css.land}
        viewBox={`${x} ${y} ${width} ${height}`}
        style={{ '--zoom': areas.world[2] / width } as CSSProperties}
        aria-hidden="true"
      >
        <path d={land} />
      </svg>
      {points.map(point => {
        const left = ((((point.lon + 530) % 360) - x) / width) * 100;
        const top = ((80 - point.lat - y) / height) * 100;
        return (
          <div
            key={point.id}
            className={cx(css.place, point.full && css.full, left > 70 && css.before)}
            style={{ left: `${left}%`, top: `${top}%` }}
          >
            <span className={css.label}>{point.label}</span>
          </div>
        );
      })}
    </figure>
  );
}
