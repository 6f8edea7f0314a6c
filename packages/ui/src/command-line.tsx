import css from './command-line.module.css';
import { CopyButton } from './copyable.tsx';

/** A command to type into a terminal, or to copy. `label` says what it does. */
export function CommandLine(props: {
  label: string;
  copyLabel: string;
  copiedLabel: string;
  children: string;
}) {
  const { label, copyLabel, copiedLabel, children } = props;
  return (
    <div className={css.command}>
      <pre className={css.line} translate="no">
        <code className="mono">{children}</code>
      </pre>
      <CopyButton value={children} label={label} copyLabel={copyLabel} copiedLabel={copiedLabel} />
    </div>
  );
}
