import type { MouseEvent, ReactNode } from 'react';
import css from './frames.module.css';

export type SideNavItem = {
  href: string;
  label: ReactNode;
  icon?: ReactNode;
  number?: number;
  current?: boolean;
  onClick?: (event: MouseEvent) => void;
};

/** Menu of the account area, with numbered items. */
export function SideNav(props: { label: string; items: SideNavItem[]; footer?: ReactNode }) {
  return (
    <nav className={css.side} aria-label={props.label}>
      <ul className={css.sideList}>
        {props.items.map(item => (
          <li key={item.href}>
            <a
              className={css.sideLink}
              href={item.href}
              onClick={item.onClick}
              aria-current={item.current ? 'page' : undefined}
            >
              {item.icon ?? <span className={`${css.sideNumber} tabular`}>{item.number}</span>}
              <span>{item.label}</span>
            </a>
          </li>
        ))}
      </ul>
      {props.footer}
    </nav>
  );
}

/** Side menu and content. The side shows from 768 px; below, it is in the drawer. */
export function DashboardShell(props: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={css.dashboard}>
      <div className={css.dashboardSide}>{props.side}</div>
      <div>{props.children}</div>
    </div>
  );
}
