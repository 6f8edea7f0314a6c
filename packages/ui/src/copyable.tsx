import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import css from './copyable.module.css';
import { cx } from './cx.ts';
import { IconCheck } from './icons.tsx';
import { IconCopy } from './topic-icons.tsx';

const FEEDBACK_MS = 2000;

/**
 * A value to copy, such as an IP address or a key's id. `size="l"` is for the customer's own
 * address and draws the point before it. Without access to the clipboard one click selects the
 * value.
 */
export function Copyable(props: {
  value: string;
  /** Accessible name: "IP address". */
  label: string;
  copyLabel: string;
  copiedLabel: string;
  size?: 'm' | 'l';
  /** The value stands beside it already: only the button is drawn. */
  buttonOnly?: boolean;
  /** Shown after the value, not copied with it. */
  unit?: string;
}) {
  const { value, label, copyLabel, copiedLabel, size, unit, buttonOnly } = props;
  return (
    <span className={cx(css.copyable, size === 'l' && css.large)}>
      {size === 'l' && <span className={css.point} />}
      {!buttonOnly && (
        <span className={cx(css.value, 'mono')}>
          <span className="visually-hidden">{`${label} `}</span>
          <span translate="no">{value}</span>
        </span>
      )}
      {unit && <span className="muted">{unit}</span>}
      <CopyButton value={value} label={label} copyLabel={copyLabel} copiedLabel={copiedLabel} />
    </span>
  );
}

/** Copies a value, and says so. */
export function CopyButton(props: { value: string; label: string; copyLabel: string; copiedLabel: string }) {
  const { value, label, copyLabel, copiedLabel } = props;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <IconButton
        className={cx(copied && css.done)}
        size="s"
        label={`${copyLabel}: ${label}`}
        icon={copied ? <IconCheck /> : <IconCopy />}
        onClick={copy}
      />
      <span className="visually-hidden" role="status">
        {copied && copiedLabel}
      </span>
    </>
  );
}
