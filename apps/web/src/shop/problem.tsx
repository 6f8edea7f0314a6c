import { type ReactNode, useEffect, useState } from 'react';
import { Cancelled, codeOf, Refusal } from '../lib/faults.ts';
import { Alert } from '../ui/alert.tsx';
import { errorText, useText } from './texts.ts';

/** Time of day in Bangkok; a minute that has begun counts whole, so that nobody comes too early. @param at ms */
function bangkokTime(at: number, wait: number): string {
  const near = wait < 60;
  const shown = near ? at : Math.ceil(at / 60_000) * 60_000;
  return `${new Date(shown + BANGKOK_MS).toISOString().slice(11, near ? 19 : 16)} GMT+7`;
}
const BANGKOK_MS = 7 * 60 * 60 * 1000;

/**
 * Why something did not work, and when it is worth trying again where the server said so (S13). Nothing when nothing
 * went wrong, or the customer himself went back.
 */
export function Problem(props: { error: unknown; title?: string; action?: ReactNode }) {
  const t = useText();
  const { error, title, action } = props;
  const [since, setSince] = useState(() => Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server's seconds count from when it refused
  useEffect(() => setSince(Date.now()), [error]);
  if (!error || error instanceof Cancelled) return null;
  const wait = error instanceof Refusal && error.status === 429 ? error.retryAfter : undefined;
  return (
    <Alert type="error" title={title} action={action} live>
      {errorText(codeOf(error))}
      {wait && ` ${t('error.retryAt', { time: bangkokTime(since + wait * 1000, wait) })}`}
    </Alert>
  );
}
