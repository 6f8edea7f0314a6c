import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import css from './shell.module.css';

/** First stop of the keyboard: over the bar, to the content. The hash belongs to the router, so it only focuses. */
export function SkipLink({ target, children }: { target: string; children: ReactNode }) {
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(target)?.focus();
  };
  return (
    <a className={css.skip} href={`#${target}`} onClick={skip}>
      {children}
    </a>
  );
}

/**
 * Top bar. Below 768 px (spec section 9) `nav` and `actions` give way to `menuButton`, which opens a Drawer; the one
 * most wanted action may stand beside it there.
 */
export function AppBar(props: {
  logo: ReactNode;
  nav?: ReactNode;
  /** Shown in every window, in the same place on every page (ux.md 6). */
  help?: ReactNode;
  actions?: ReactNode;
  menuButton?: ReactNode;
}) {
  return (
    <header className={css.bar}>
      <div className={css.barInner}>
        <div className={css.barLogo}>{props.logo}</div>
        {props.nav && <div className={css.barNav}>{props.nav}</div>}
        <div className={css.barEnd}>
          {props.help}
          {props.actions && <div className={css.barActions}>{props.actions}</div>}
          {props.menuButton && <div className={css.barMenu}>{props.menuButton}</div>}
        </div>
      </div>
    </header>
  );
}

/** A named list of links; `vertical` in a drawer. */
export function NavLinks(props: { label: string; vertical?: boolean; children: ReactNode[] }) {
  return (
    <nav aria-label={props.label}>
      <ul className={props.vertical ? `${css.navLinks} ${css.vertical}` : css.navLinks}>
        {props.children.map((child, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          <li key={index}>{child}</li>
        ))}
      </ul>
    </nav>
  );
}

export function NavLink(props: ComponentProps<'a'> & { current?: boolean; icon?: ReactNode }) {
  const { current, icon, children, ...html } = props;
  return (
    <a {...html} className={css.navLink} aria-current={current ? 'page' : undefined}>
      {icon}
      {children}
    </a>
  );
}

export type SideNavItem = {
  href: string;
  label: ReactNode;
  icon?: ReactNode;
  number?: number;
  current?: boolean;
  onClick?: (event: MouseEvent) => void;
};

/** The account area's menu: numbered items (spec section 2). */
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

/** Side menu and content; the side shows from 768 px, below it lives in the drawer. */
export function DashboardShell(props: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={css.dashboard}>
      <div className={css.dashboardSide}>{props.side}</div>
      <div>{props.children}</div>
    </div>
  );
}

/** The narrow column of log in and sign up; `aside` stands beside it when there is room. */
export function AuthShell(props: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={css.auth}>
      <div>{props.children}</div>
      {props.aside && <div className={css.authAside}>{props.aside}</div>}
    </div>
  );
}

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
