import type { ReactNode } from 'react';
import css from './badge.module.css';
import { cx } from './cx.ts';

/** A short remark beside a title: "Most chosen", "This device". */
export function Badge(props: { tone?: 'accent' | 'neutral'; children: ReactNode }) {
  return <span className={cx(css.badge, props.tone !== 'neutral' && css.accent)}>{props.children}</span>;
}
