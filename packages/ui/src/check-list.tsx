import type { ReactNode } from 'react';
import css from './check-list.module.css';
import type { Icon } from './icon.tsx';
import { IconCheck } from './icons.tsx';

/** List of what is included; with another icon, of what is not. */
export function CheckList({ items, icon: Mark = IconCheck }: { items: readonly ReactNode[]; icon?: Icon }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without its markers Safari no longer reads it as a list
    <ul className={css.list} role="list">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
        <li key={index} className={css.item}>
          <Mark size="1.1em" />
          <span>{item}</span>
        </li>
      ))}
    </ul>
  );
}
