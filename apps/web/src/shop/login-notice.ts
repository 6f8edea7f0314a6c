import { tabStore } from '@fixpoint/ui/lib/storage.ts';
import { createStore } from '@fixpoint/ui/lib/store.ts';
import type { TextKey } from './texts.ts';

/**
 * Notice on the next login page (password set, account closed), and the email address to fill in.
 * Not in the router's state, which several parts overwrite when a session ends.
 */
type LoginNotice = { text: TextKey; email?: string };
export const loginNotice = createStore<LoginNotice | undefined>(undefined);

/**
 * Makes a call that ends the session, with the notice for the login page. It is set before the call:
 * the live connection may end the session before the answer comes.
 */
export async function withLoginNotice(notice: LoginNotice, call: () => Promise<unknown>): Promise<void> {
  loginNotice.set(notice);
  try {
    await call();
  } catch (error) {
    loginNotice.set(undefined);
    throw error;
  }
}

/** Email address typed on a log-in screen; the next screen fills it in. In memory only. */
export const typedEmail = createStore('');

const WANTED = 'wanted';
/** The screen to open after the login, stored while the visitor sets a password first. */
export const wantedScreen = {
  get: () => tabStore.read(WANTED),
  set: (from: string | undefined) =>
    from === undefined ? tabStore.remove(WANTED) : void tabStore.write(WANTED, from),
};
