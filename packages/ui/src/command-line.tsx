import css from './command-line.module.css';

/** A command to type into a terminal. */
export function CommandLine({ children }: { children: string }) {
  return (
    <pre className={css.line} translate="no">
      <code className="mono">{children}</code>
    </pre>
  );
}
