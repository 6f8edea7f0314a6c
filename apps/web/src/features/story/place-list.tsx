import type { ReactNode } from 'react';
import css from './place-list.module.css';

/** A map, with its locations as a list beside it. */
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

/** Reserves the map's space before it loads, so that nothing below moves. */
export function MapFrame({ children }: { children: ReactNode }) {
  return <div className={css.frame}>{children}</div>;
}
