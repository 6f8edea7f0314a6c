import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import type { Icon } from './icon.tsx';
import { IconError, IconSuccess, IconWarning } from './icons.tsx';
import css from './status.module.css';
import { IconBan, IconClock } from './topic-icons.tsx';

export type StatusTone = 'good' | 'warn' | 'bad' | 'info' | 'idle';

const icons: Record<StatusTone, Icon> = {
  good: IconSuccess,
  warn: IconWarning,
  bad: IconError,
  info: IconClock,
  idle: IconBan,
};

/** A state as icon, colour and text. `icon` replaces the tone's default. */
export function StatusLabel(props: { tone: StatusTone; icon?: Icon; children: ReactNode }) {
  const Shape = props.icon ?? icons[props.tone];
  return (
    <span className={cx(css.status, css[props.tone])}>
      <Shape size="1.15em" />
      <span>{props.children}</span>
    </span>
  );
}
