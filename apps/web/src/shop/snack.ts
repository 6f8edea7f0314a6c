import { createSnackbarStore } from '@fixpoint/ui/snackbar-store.ts';
import { Cancelled, codeOf } from '@fixpoint/web-client/faults.ts';
import { errorMessage } from './error-message.ts';

/** The only snack bar of the page. */
export const snacks = createSnackbarStore();

/** Shows an error as a snack, with its code and the text of the catalogue. */
export function showError(error: unknown) {
  if (error instanceof Cancelled) return;
  snacks.show({ type: 'error', code: codeOf(error), text: errorMessage(error) });
}
