import { useState } from 'react';
import { webClient } from './setup.ts';

/**
 * Something that a button changes at the server, outside of forms (those have `useFormState`): whether it is under way,
 * and what went wrong, which is shown as a snack as well. Without a connection it fails at once: held back, it would
 * happen when nobody thinks of it any more.
 */
export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function attempt(args: Args) {
    setBusy(true);
    setError(undefined);
    try {
      await action(...args);
    } catch (refused) {
      setError(refused);
      webClient().showError(refused);
    } finally {
      setBusy(false);
    }
  }
  return { run: (...args: Args) => void attempt(args), busy, error };
}
