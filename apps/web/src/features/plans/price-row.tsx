import { cx } from '@fixpoint/ui/cx.ts';
import type { ReactNode } from 'react';
import css from './price-row.module.css';

/** The large price of a plan. `wasLabel` ("before") is announced before the struck price. */
export function PriceRow(props: {
  amount: ReactNode;
  per?: ReactNode;
  was?: ReactNode;
  wasLabel?: string;
  note?: ReactNode;
}) {
  const { amount, per, was, wasLabel, note } = props;
  return (
    <div className={css.price}>
      {was && (
        <s className={cx(css.was, 'tabular')}>
          <span className="visually-hidden">{wasLabel} </span>
          <span translate="no">{was}</span>
        </s>
      )}
      <div className={css.amounts}>
        <span className={cx(css.amount, 'tabular')} translate="no">
          {amount}
        </span>
        {per && <span className={css.per}>{per}</span>}
      </div>
      {note && <p className={css.note}>{note}</p>}
    </div>
  );
}
