import { createSnackbarStore } from '@fixpoint/ui/snackbar-store.ts';
import { Cancelled, codeOf, Refusal } from '@fixpoint/web-client/faults.ts';
import { codeMessage } from './error-message.ts';

/** The only snack bar of the page. */
export const snacks = createSnackbarStore();

/**
 * Shows an error as a snack, with its code and the text of the catalogue. Not a refusal that the
 * client of the calls has shown already.
 */
export function showError(error: unknown) {
  if (error instanceof Cancelled || (error instanceof Refusal && error.reported)) return;
  snacks.show({ type: 'error', code: codeOf(error), text: codeMessage(error) });
}
