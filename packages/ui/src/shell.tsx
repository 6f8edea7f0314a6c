import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import css from './shell.module.css';

/** First tab stop: skips the app bar. Only focuses, because the hash belongs to the router. */
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
 * Top bar. Below 900 px `nav` and `actions` are replaced by `menuButton`, which opens a Drawer; the
 * most wanted action may stand beside it.
 */
export function AppBar(props: {
  logo: ReactNode;
  nav?: ReactNode;
  /** Shown at every width, in the same place on every page. */
  help?: ReactNode;
  actions?: ReactNode;
  menuButton?: ReactNode;
  /** Stays visible while the page scrolls. */
  notice?: ReactNode;
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
      {props.notice}
    </header>
  );
}

/** A labelled list of links; `vertical` in a drawer. */
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
      <span>{children}</span>
    </a>
  );
}
