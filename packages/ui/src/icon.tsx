import type { ReactElement } from 'react';
import css from './icons.module.css';

/** `label` names the icon for readers; without it the icon is decoration beside a word. */
type IconProps = { size?: string | number; label?: string };
export type Icon = (props: IconProps) => ReactElement;

/**
 * Shapes of Lucide 1.62 (ISC, lucide.dev), each drawn as one path. Kept here as text: one stroke for all of them,
 * no dependency, and the bundler drops what a build does not use.
 */
export function icon(path: string): Icon {
  return ({ size = '1.25em', label }) => (
    <svg
      className={css.icon}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={path} />
    </svg>
  );
}
