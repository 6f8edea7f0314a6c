import { cx } from '@fixpoint/ui/cx.ts';
import type { ReactNode } from 'react';
import css from './way.module.css';

export type WayStop = {
  id: string;
  icon?: ReactNode;
  /** Draws the fixed point instead of an icon. */
  point?: boolean;
  label: ReactNode;
  detail?: ReactNode;
  /** Connection from the previous stop; the first stop has none. */
  link?: { kind: 'open' | 'tunnel'; label: ReactNode };
};

/** Path of data from stop to stop, open or in a tunnel. Vertical on phones. */
export function Way(props: { title: ReactNode; stops: readonly WayStop[]; children: ReactNode }) {
  return (
    <figure className={css.figure}>
      <figcaption className={css.caption}>
        <h3>{props.title}</h3>
        <p className="muted">{props.children}</p>
      </figcaption>
      {/* biome-ignore lint/a11y/noRedundantRoles: without its markers Safari no longer reads it as a list */}
      <ol className={css.way} role="list">
        {props.stops.map(stop => (
          <li key={stop.id} className={css.leg}>
            {stop.link && (
              <span className={cx(css.link, css[stop.link.kind])}>
                <span className={css.linkLabel}>{stop.link.label}</span>
              </span>
            )}
            <span className={css.stop}>
              <span className={cx(css.sign, stop.point && css.point)}>{stop.icon}</span>
              <span className={css.words}>
                <span className={css.label}>{stop.label}</span>
                {stop.detail && <span className={cx(css.detail, 'tabular')}>{stop.detail}</span>}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
