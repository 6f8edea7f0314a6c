import type { ReactNode } from 'react';
import css from './alert.module.css';
import { cx } from './cx.ts';
import { type MessageType, StateIcon } from './state-icon.tsx';

/** A message about one part of the page. `live` announces it to screen readers when it appears. */
export function Alert(props: {
  type: MessageType;
  title?: ReactNode;
  action?: ReactNode;
  live?: boolean;
  children?: ReactNode;
}) {
  const { type, title, action, live, children } = props;
  const role = type === 'error' ? 'alert' : 'status';
  return (
    <div className={cx(css.alert, css[type])} role={live ? role : undefined}>
      <StateIcon type={type} />
      <div className={css.body}>
        {title && <p className={css.title}>{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className={css.action}>{action}</div>}
      </div>
    </div>
  );
}

/** A message for the whole site, above the app bar: offline, maintenance. */
export function Banner(props: { type: MessageType; action?: ReactNode; children: ReactNode }) {
  const { type, action, children } = props;
  return (
    <div className={cx(css.banner, css[type])} role={type === 'error' ? 'alert' : 'status'}>
      <div className={css.bannerInner}>
        <StateIcon type={type} />
        <div className={css.bannerText}>{children}</div>
        {action}
      </div>
    </div>
  );
}
