import type { ReactElement } from 'react';
import css from './icons.module.css';

/** `label` is the accessible name; without it the icon is decoration beside a word. */
type IconProps = { size?: string | number; label?: string };
export type Icon = (props: IconProps) => ReactElement;

/**
 * Icons of Lucide 1.62 (ISC, lucide.dev), each as one path. Inlined for one stroke width, no
 * dependency, and tree shaking.
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
