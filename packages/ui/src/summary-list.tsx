import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './summary-list.module.css';

export type SummaryRow = {
  term: ReactNode;
  value: ReactNode;
  /** A sentence below the row: "renews every 12 months, next on …". */
  note?: ReactNode;
  /** The total: larger, below a line. */
  strong?: boolean;
  tone?: 'credit';
  /** An amount, an address or a code: browsers do not translate it. */
  figure?: boolean;
};

/**
 * Facts and amounts as a definition list with aligned values. `across` sets a few facts side by
 * side, each below its term; `grid` does so in equal columns, so that lists below each other align;
 * `log` sets what happened right after its date; `columns` uses two columns in wide windows, so that
 * values stay near their terms.
 */
export function SummaryList(props: {
  rows: SummaryRow[];
  compact?: boolean;
  flow?: 'columns' | 'across' | 'grid' | 'log';
}) {
  const { compact, flow } = props;
  return (
    <dl className={cx(css.list, compact && css.compact, flow && css[flow])}>
      {props.rows.map((row, index) => (
        <div
          // Rows have no id and never move.
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          key={index}
          className={cx(css.row, row.strong && css.strong, row.tone && css[row.tone])}
        >
          <dt className={css.term}>{row.term}</dt>
          <dd
            className={cx(css.value, 'tabular')}
            translate={row.figure || row.strong || row.tone ? 'no' : undefined}
          >
            {row.value}
          </dd>
          {row.note && <dd className={css.note}>{row.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
