import type { ReactNode } from 'react';
import css from './footer.module.css';

export function Footer(props: { columns: { title: ReactNode; items: ReactNode[] }[]; bottom?: ReactNode }) {
  return (
    <footer className={css.footer}>
      <div className={css.footerInner}>
        <div className={css.columns}>
          {props.columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
            <div key={index} className={css.column}>
              <h2>{column.title}</h2>
              <ul>
                {column.items.map((item, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
                  <li key={at}>{item}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        {props.bottom && <div className={css.bottom}>{props.bottom}</div>}
      </div>
    </footer>
  );
}
