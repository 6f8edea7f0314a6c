import { Alert } from '@fixpoint/ui/alert.tsx';
import type { ReactNode } from 'react';
import { Cancelled } from './faults.ts';
import { useText, webClient } from './setup.ts';

/** Why something did not work. Nothing when nothing went wrong, or the person themselves went back. */
export function Problem(props: { error: unknown; title?: string; action?: ReactNode }) {
  const { error, title, action } = props;
  // Drawn again when the language changes.
  useText();
  if (!error || error instanceof Cancelled) return null;
  return (
    <Alert type="error" title={title} action={action} live>
      {webClient().errorText(error)}
    </Alert>
  );
}
