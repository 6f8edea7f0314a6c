import type { ReturnOutcome } from '@fixpoint/contract/return-path.ts';
import { tabStore } from '@fixpoint/ui/lib/storage.ts';
import { Cancelled } from '@fixpoint/web-client/faults.ts';

const PLACE = 'leftFrom';
/** A page that is still here by then has been stayed on. */
const STAYS_MS = 30_000;

/**
 * Leads this window to a provider's own page, which leads back to the server's `/back/…` and so to the order page.
 * Never answers; rejects as turned back when the browser's way back brings this very page again, as it was, or when it
 * has never left: the way was stopped by hand, or led into an app.
 */
export function leaveFor(url: string): Promise<never> {
  tabStore.write(PLACE, window.location.hash.slice(1));
  window.location.assign(url);
  return new Promise((_, reject) => {
    const turnBack = () => reject(new Cancelled());
    addEventListener('pageshow', ({ persisted }) => persisted && turnBack());
    // A page that comes later still takes the place of this one.
    setTimeout(turnBack, STAYS_MS);
  });
}

/** Where this window last left from, as the router knows it. */
export const leftFrom = (): string | undefined => tabStore.read(PLACE);

/** What an entry of the history says of how its page was come back to. */
export type CameBack = { back?: ReturnOutcome } | null;
