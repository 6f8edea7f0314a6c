import type { CSSProperties, ReactNode } from 'react';
import css from './layout.module.css';

/** Main column with a sticky side (an order's total); the side comes last on phones. */
export function Split(props: { side: ReactNode; sideWidth?: string; children: ReactNode }) {
  return (
    <div className={css.split} style={{ '--side-width': props.sideWidth ?? '22rem' } as CSSProperties}>
      <div>{props.children}</div>
      <div className={css.side}>{props.side}</div>
    </div>
  );
}
