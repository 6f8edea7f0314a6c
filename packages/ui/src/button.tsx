import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import css from './button.module.css';
import { cx } from './cx.ts';

type Look = {
  /** `primary` is the only orange element of a screen. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 's' | 'm' | 'l';
  block?: boolean;
};
type Icons = { icon?: ReactNode; iconEnd?: ReactNode };

/** Class name of a button, for a router's link. */
export function buttonClass({ variant = 'secondary', size = 'm', block }: Look = {}): string {
  return cx(css.button, css[variant], size !== 'm' && css[size], block && css.block);
}

/**
 * A button. `busy` keeps text and focus and ignores clicks, so that nothing is sent twice. It does
 * not set `disabled`, because a disabled button loses the focus.
 */
export function Button(props: ComponentProps<'button'> & Look & Icons & { busy?: boolean }) {
  const { variant, size, block, icon, iconEnd, busy, className, children, onClick, ...html } = props;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // Ignores the second click of a double click, which comes before `busy` is visible.
    if (busy || event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...html}
      onClick={click}
      aria-disabled={busy || html['aria-disabled']}
      aria-busy={busy || undefined}
      className={cx(buttonClass({ variant, size, block }), busy && css.busy, className)}
    >
      {icon}
      <span>{children}</span>
      {iconEnd}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton(props: ComponentProps<'a'> & Look & Icons) {
  const { variant, size, block, icon, iconEnd, className, children, ...html } = props;
  return (
    <a {...html} className={cx(buttonClass({ variant, size, block }), className)}>
      {icon}
      <span>{children}</span>
      {iconEnd}
    </a>
  );
}

/** A button that shows only an icon; `label` is its accessible name. `busy` as in `Button`. */
export function IconButton(
  props: ComponentProps<'button'> & { label: string; icon: ReactNode; size?: 's' | 'm'; busy?: boolean },
) {
  const { label, icon, size = 'm', busy, onClick, className, ...html } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...html}
      onClick={busy ? undefined : onClick}
      aria-disabled={busy || html['aria-disabled']}
      aria-busy={busy || undefined}
      className={cx(css.button, css.quiet, css.iconOnly, size === 's' && css.s, busy && css.busy, className)}
    >
      {icon}
    </button>
  );
}
