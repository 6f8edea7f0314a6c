import type { ReactNode } from 'react';
import css from './small-print.module.css';

/** What goes without saying and is said all the same: quiet, with an icon. */
export function SmallPrint({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className={css.line}>
      {icon}
      <span>{children}</span>
    </p>
  );
}
