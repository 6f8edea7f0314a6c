import type { ReactNode } from 'react';
import css from './feature-list.module.css';

/** List of promises: icon, headline, promise, and what backs it in muted text. */
export function FeatureList(props: {
  items: readonly { id: string; icon: ReactNode; title: ReactNode; text: ReactNode; detail?: ReactNode }[];
}) {
  return (
    <div className={css.list}>
      {props.items.map(item => (
        <div key={item.id} className={css.item}>
          <span className={css.icon}>{item.icon}</span>
          <h3 className={css.title}>{item.title}</h3>
          <div className={css.words}>
            <p className={css.text}>{item.text}</p>
            {item.detail && <p className="muted">{item.detail}</p>}
          </div>
        </div>
      ))}
    </div>
  );
}
