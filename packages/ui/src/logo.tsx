import css from './logo.module.css';

/**
 * Three routes in, three routes out; the point stays. `index.html` has the same icon: change both.
 * An operator's logo replaces it by its class (`http/brand.ts` of the API).
 */
export function LogoMark({ size = 32 }: { size?: number | string }) {
  return (
    <svg className="logo-mark" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path d="M1.5 6C6 6 8 8.1 10.9 10.9M1.5 16h7.2M1.5 26C6 26 8 23.9 10.9 21.1M30.5 6C26 6 24 8.1 21.1 10.9M30.5 16h-7.2M30.5 26C26 26 24 23.9 21.1 21.1" />
      <circle cx="16" cy="16" r="4.4" />
    </svg>
  );
}

/** The mark with the brand's name beside it. */
export function Logo({ name, size }: { name: string; size?: number | string }) {
  return (
    <span className={css.logo}>
      <LogoMark size={size ?? '1.5em'} />
      <span translate="no">{name}</span>
    </span>
  );
}
