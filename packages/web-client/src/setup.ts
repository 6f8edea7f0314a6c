import type { Session } from './session.ts';

/** What an app hands to the forms and actions of this package, which have no text of their own. */
export type WebClientSetup = {
  session: Session;
  /** A hook: answers the texts of the language on the screen, and draws again when they change. */
  useText: () => (key: string) => string;
  /** What any error says to the person at the screen. */
  errorText: (error: unknown) => string;
  /** Shows an error as a snack. */
  showError: (error: unknown) => void;
  /** Key of the headline over what is wrong with a form. */
  formErrorsTitle: string;
};

let setup: WebClientSetup | undefined;

/** Hands the package what belongs to the app. Called once, before the first page is drawn. */
export function setUpWebClient(given: WebClientSetup): void {
  setup = given;
}

/** What the app has handed over. Throws before `setUpWebClient`. */
export function webClient(): WebClientSetup {
  if (!setup) throw new Error('webClient() before setUpWebClient()');
  return setup;
}

/** The texts of the language on the screen. */
export const useText = (): ((key: string) => string) => webClient().useText();
