import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './steps.module.css';

/** Numbered instructions: a picture, a title and what to do. Side by side if there is room, unless `stacked`. */
export function Steps(props: {
  items: readonly { id: string; title: ReactNode; picture?: ReactNode; content: ReactNode }[];
  level?: 3 | 4;
  /** Below each other: a step holds a form. */
  stacked?: boolean;
}) {
  const Heading = `h${props.level ?? 3}` as const;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without its markers Safari no longer reads it as a list
    <ol className={cx(css.steps, props.stacked && css.stacked)} role="list">
      {props.items.map((item, index) => (
        <li key={item.id} className={css.step}>
          {item.picture && <div className={css.picture}>{item.picture}</div>}
          <Heading className={css.title}>
            <span className={css.number}>{index + 1}</span>
            <span>{item.title}</span>
          </Heading>
          <div className={css.content}>{item.content}</div>
        </li>
      ))}
    </ol>
  );
}
