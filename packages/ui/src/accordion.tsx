import type { ReactNode } from 'react';
import css from './accordion.module.css';
import { IconPlus } from './topic-icons.tsx';

/**
 * Questions and answers. `<details>` handles the keyboard, and the browser's find-in-page opens it.
 */
export function Accordion(props: {
  items: readonly { id: string; title: ReactNode; content: ReactNode }[];
  level?: 2 | 3 | 4;
  /** In the size of the links around it. */
  small?: boolean;
}) {
  const Heading = `h${props.level ?? 3}` as const;
  return (
    <div className={props.small ? css.small : undefined}>
      {props.items.map(item => (
        <details key={item.id} id={item.id} className={css.item}>
          <summary className={css.summary}>
            <Heading className={css.title}>{item.title}</Heading>
            <span className={css.sign}>
              <IconPlus />
            </span>
          </summary>
          <div className={css.content}>{item.content}</div>
        </details>
      ))}
    </div>
  );
}
