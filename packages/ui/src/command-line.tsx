import css from './command-line.module.css';

/** What is typed into a terminal. */
export function CommandLine({ children }: { children: string }) {
  return (
    <pre className={css.line}>
      <code className="mono">{children}</code>
    </pre>
  );
}
