import css from './logo.module.css';

/** Three routes come, three routes go; the point stays. Also `public/favicon.svg`: change both. */
export function LogoMark({ size = 32 }: { size?: number | string }) {
  return (
    <svg className={css.mark} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path
        className={css.lines}
        d="M1.5 5.5C7 5.5 6 14.6 9.4 14.6M1.5 16h7.9M1.5 26.5C7 26.5 6 17.4 9.4 17.4M30.5 5.500C25 5.5 26 14.6 22.6 14.600M30.5 16h-7.900M30.5 26.500C25 26.5 26 17.4 22.6 17.4"
      />
      <circle className={css.dot} cx="16" cy="16" r="4.4" />
    </svg>
  );
}

/** The mark with the brand's name beside it. */
export function Logo({ name, size }: { name: string; size?: number | string }) {
  return (
    <span className={css.logo}>
      <LogoMark size={size ?? '1.5em'} />
      {name}
    </span>
  );
}
