import type { Session } from './session.ts';

/** Dependencies that the app injects; the package has no text of its own. */
export type WebClientSetup = {
  session: Session;
  /**
   * A hook: returns the texts of the language on the screen, and renders again when they change.
   */
  useText: () => (key: string) => string;
  /** Text of any error for the user. */
  errorText: (error: unknown) => string;
  /** Shows an error as a snack. */
  showError: (error: unknown) => void;
  /** Key of the headline of the error summary. */
  formErrorsTitle: string;
};

let setup: WebClientSetup | undefined;

/** Injects the app's dependencies. Must be called once, before the first render. */
export function setUpWebClient(dependencies: WebClientSetup): void {
  setup = dependencies;
}

/** The injected dependencies. Throws before `setUpWebClient`. */
export function webClient(): WebClientSetup {
  if (!setup) throw new Error('webClient() before setUpWebClient()');
  return setup;
}

/** Texts of the language on the screen. */
export const useText = (): ((key: string) => string) => webClient().useText();
