import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './summary-list.module.css';

export type SummaryRow = {
  term: ReactNode;
  value: ReactNode;
  /** One sentence under the row: "renews every 12 months, next on …". */
  note?: ReactNode;
  /** The sum: larger, under a rule. */
  strong?: boolean;
  tone?: 'credit';
};

/**
 * Facts and amounts as a definition list; values stand under each other at the end, in tabular figures. `across` sets a few
 * facts beside each other, each under its term, and `columns` the rows in two columns on wide screens: a value must not
 * stand half a metre from what it says.
 */
export function SummaryList(props: { rows: SummaryRow[]; compact?: boolean; flow?: 'columns' | 'across' }) {
  const { compact, flow } = props;
  return (
    <dl className={cx(css.list, compact && css.compact, flow && css[flow])}>
      {props.rows.map((row, index) => (
        <div
          // Rows have no name of their own and never move.
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          key={index}
          className={cx(css.row, row.strong && css.strong, row.tone && css[row.tone])}
        >
          <dt className={css.term}>{row.term}</dt>
          <dd className={cx(css.value, 'tabular')}>{row.value}</dd>
          {row.note && <dd className={css.note}>{row.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
