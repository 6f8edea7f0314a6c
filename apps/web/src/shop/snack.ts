import { Cancelled, codeOf } from '../lib/faults.ts';
import { createSnackbarStore } from '../ui/snackbar-store.ts';
import { errorText } from './texts.ts';

/** The one snack bar of the page. */
export const snacks = createSnackbarStore();

/** A refusal or fault as a snack with its code and the text of the catalogue (W50). */
export function showError(error: unknown) {
  if (error instanceof Cancelled) return;
  const code = codeOf(error);
  snacks.show({ type: 'error', code, text: errorText(code) });
}
