import type { ReactNode } from 'react';
import css from './back-link.module.css';
import { IconChevronLeft } from './topic-icons.tsx';

/** Link to the parent screen, above the headline. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className={css.back}>
      <IconChevronLeft />
      <span>{children}</span>
    </a>
  );
}
