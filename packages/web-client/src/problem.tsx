import { Alert } from '@fixpoint/ui/alert.tsx';
import type { ReactNode } from 'react';
import { Cancelled } from './faults.ts';
import { useText, webClient } from './setup.ts';

/** Alert that explains an error. Renders nothing without an error, or if the user cancelled. */
export function Problem(props: { error: unknown; title?: string; action?: ReactNode }) {
  const { error, title, action } = props;
  // Renders again when the language changes.
  useText();
  if (!error || error instanceof Cancelled) return null;
  return (
    <Alert type="error" title={title} action={action} live>
      {webClient().errorText(error)}
    </Alert>
  );
}
