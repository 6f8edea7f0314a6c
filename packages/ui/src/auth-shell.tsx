import type { ReactNode } from 'react';
import css from './auth-shell.module.css';

/** Narrow column for log-in and sign-up; `aside` stands beside it if there is room. */
export function AuthShell(props: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.auth}>
      <div>{props.children}</div>
      {props.aside && <div className={css.authAside}>{props.aside}</div>}
    </div>
  );
}
