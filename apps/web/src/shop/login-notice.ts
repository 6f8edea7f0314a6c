import { tabStore } from '@fixpoint/ui/lib/storage.ts';
import { createStore } from '@fixpoint/ui/lib/store.ts';
import type { TextKey } from './texts.ts';

/**
 * What the login page says when it comes up next, and the address it fills in: the password is set, the account is
 * gone. Not a state of the address, which several parts of the page rewrite when a session ends.
 */
export const loginNotice = createStore<{ text: TextKey; email?: string } | undefined>(undefined);

/** The address as it was typed on one of the screens around logging in: the next one has it already. In memory. */
export const typedEmail = createStore('');

const WANTED = 'wanted';
/** The screen that was to be seen, while its visitor sets a password before he logs in: kept as long as his mailed code. */
export const wantedScreen = {
  get: () => tabStore.read(WANTED),
  set: (from: string | undefined) =>
    from === undefined ? tabStore.remove(WANTED) : void tabStore.write(WANTED, from),
};
