import { Grid } from '@fixpoint/ui/layout.tsx';
import type { ReactNode } from 'react';
import css from './topic-grid.module.css';

/** Short topics side by side: icon, title, a sentence or two. */
export function TopicGrid(props: {
  items: readonly { id: string; icon: ReactNode; title: ReactNode; text: ReactNode }[];
}) {
  return (
    <Grid gap={8}>
      {props.items.map(item => (
        <div key={item.id} className={css.topic}>
          <span className={css.icon}>{item.icon}</span>
          <h3>{item.title}</h3>
          <p className="muted">{item.text}</p>
        </div>
      ))}
    </Grid>
  );
}
