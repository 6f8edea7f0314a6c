import type { ReactNode } from 'react';
import css from './action-bar.module.css';

/**
 * The main action of a long form: inline in a wide window, fixed to the bottom on a phone. `note`
 * stands above the action there: subject and amount.
 */
export function ActionBar({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <div className={css.bar}>
      <p className={css.note}>{note}</p>
      {children}
    </div>
  );
}
