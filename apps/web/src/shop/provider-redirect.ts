import type { ReturnOutcome } from '@fixpoint/contract/return-path.ts';
import { tabStore } from '@fixpoint/ui/lib/storage.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';

const KEY = 'leftFrom';
/** The user has stayed on a page that is still open after this time. */
const TIMEOUT_MS = 30_000;

/**
 * Redirects this window to a provider's page, which leads back to `/back/…` and so to the order
 * page. Never resolves. Rejects with `Cancelled` when the browser's back button restores this page,
 * or when the page was never left (navigation stopped, or opened in an app).
 */
export function redirectToProvider(url: string): Promise<never> {
  tabStore.write(KEY, window.location.hash.slice(1));
  window.location.assign(url);
  return new Promise((_, reject) => {
    const cancel = () => reject(new Cancelled());
    addEventListener('pageshow', ({ persisted }) => persisted && cancel());
    // A page that loads later still replaces this one.
    setTimeout(cancel, TIMEOUT_MS);
  });
}

/** Router path from which this window last left. */
export const redirectedFrom = (): string | undefined => tabStore.read(KEY);

/** State of a history entry: how the user came back to its page. */
export type ReturnState = { back?: ReturnOutcome } | null;
