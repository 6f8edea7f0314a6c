import type { ReactNode } from 'react';
import css from './action-bar.module.css';

/**
 * The main action of a long form: in its place in a wide window, at the foot of a phone's, where it is always in reach.
 * `note` stands above it there: what it is about, and the amount.
 */
export function ActionBar({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <div className={css.bar}>
      <p className={css.note}>{note}</p>
      {children}
    </div>
  );
}
