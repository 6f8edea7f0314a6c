import type { ReactNode } from 'react';
import { StatusLabel, type StatusTone } from './status.tsx';
import css from './verdict-list.module.css';

/** Results of checks, in order: state as text and colour, and the fix. */
export function VerdictList(props: {
  items: readonly { id: string; title: ReactNode; tone: StatusTone; text: ReactNode; repair?: ReactNode }[];
}) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without its markers Safari no longer reads it as a list
    <ol className={css.list} role="list">
      {props.items.map(({ id, title, tone, text, repair }) => (
        <li key={id} className={css.item}>
          <strong>{title}</strong>
          <div className={css.words}>
            <StatusLabel tone={tone}>{text}</StatusLabel>
            {repair}
          </div>
        </li>
      ))}
    </ol>
  );
}
