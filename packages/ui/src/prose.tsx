import type { ReactNode } from 'react';
import css from './prose.module.css';

/** Formatted text of a legal document. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={css.prose}>{children}</div>;
}
