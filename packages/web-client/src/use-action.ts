import { useState } from 'react';
import { webClient } from './setup.ts';

/**
 * Runs a server call behind a button, outside of forms (those have `useFormState`). Errors are
 * returned and shown as a snack. Fails at once without a connection: a queued call would run when
 * nobody expects it.
 */
export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function attempt(args: Args) {
    setBusy(true);
    setError(undefined);
    try {
      await action(...args);
    } catch (caught) {
      setError(caught);
      webClient().showError(caught);
    } finally {
      setBusy(false);
    }
  }
  return { run: (...args: Args) => void attempt(args), busy, error };
}
