import type { ReactNode } from 'react';
import css from './bars.module.css';

export type BarsRow = { key: string; label: ReactNode; value: number; text: ReactNode };

/** Bar chart: each amount as a number and as its share of the largest. */
export function Bars({ rows }: { rows: readonly BarsRow[] }) {
  const largest = Math.max(...rows.map(({ value }) => value));
  return (
    <dl className={css.bars}>
      {rows.map(({ key, label, value, text }) => (
        <div key={key} className={css.row}>
          <dt>{label}</dt>
          <dd className="tabular">{text}</dd>
          <dd className={css.track} aria-hidden="true">
            <div className={css.fill} style={{ width: `${largest > 0 ? (value / largest) * 100 : 0}%` }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
