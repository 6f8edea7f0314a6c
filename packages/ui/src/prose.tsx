import type { ReactNode } from 'react';
import css from './prose.module.css';

/** A text of headlines, paragraphs and lists that somebody else wrote: terms, a policy. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={css.prose}>{children}</div>;
}
