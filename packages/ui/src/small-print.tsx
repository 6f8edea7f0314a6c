import type { ReactNode } from 'react';
import css from './small-print.module.css';

/** A quiet remark with an icon. */
export function SmallPrint({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className={css.line}>
      {icon}
      <span>{children}</span>
    </p>
  );
}
