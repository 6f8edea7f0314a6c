import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';

/*
 * What was typed when the session ended by itself: back after the login, once, in the same tab only. Nothing secret is
 * ever put here; who logs out by himself leaves none.
 */
const key = (name: string) => `draft.${name}`;

export function writeDraft(name: string, values: Record<string, unknown>, kept: readonly string[]) {
  const content = Object.fromEntries(kept.map(field => [field, values[field]]));
  tabStore.write(key(name), JSON.stringify(content));
}

/** The draft under a name; empty when there is none. */
export const readDraft = (name: string): Record<string, unknown> =>
  readJson<Record<string, unknown>>(tabStore, key(name)) ?? {};

export const dropDraft = (name: string) => tabStore.remove(key(name));
