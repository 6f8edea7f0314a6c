import type { ReactNode } from 'react';
import { Scene } from './drawings/scene.tsx';
import type { SceneKind } from './drawings/scenes.tsx';
import css from './empty-state.module.css';

/** Empty state: says what would be here, and the first step. */
export function EmptyState(props: {
  drawing?: Exclude<SceneKind, 'loading'>;
  title: ReactNode;
  level?: 1 | 2 | 3;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { drawing = 'empty', title, level = 2, action, children } = props;
  const Heading = `h${level}` as const;
  return (
    <div className={css.empty}>
      <div className={css.drawing}>
        <Scene kind={drawing} />
      </div>
      <Heading tabIndex={level === 1 ? -1 : undefined}>{title}</Heading>
      {children && <div className="muted">{children}</div>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
