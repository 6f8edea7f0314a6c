import type { ReactNode } from 'react';
import css from './place-list.module.css';

/** A map and, beside it, its places in words. */
export function PlaceList(props: {
  map: ReactNode;
  items: readonly { id: string; title: ReactNode; detail?: ReactNode; aside?: ReactNode }[];
}) {
  return (
    <div className={css.both}>
      {props.map}
      {/* biome-ignore lint/a11y/noRedundantRoles: without its markers Safari no longer reads it as a list */}
      <ul className={css.list} role="list">
        {props.items.map(item => (
          <li key={item.id} className={css.item}>
            <span className={css.name}>
              <span className={css.title}>{item.title}</span>
              {item.detail && <span className="muted">{item.detail}</span>}
            </span>
            {item.aside}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Keeps the map's place before it has been loaded, so that nothing below it moves. */
export function MapFrame({ children }: { children: ReactNode }) {
  return <div className={css.frame}>{children}</div>;
}
