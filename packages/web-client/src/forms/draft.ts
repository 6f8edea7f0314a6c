import { readJson, tabStore } from '@fixpoint/ui/lib/storage.ts';

/*
 * Drafts: form input is saved when the session expires, and restored once after the login, in the
 * same tab. Secrets are never saved, and a log-out by the user saves nothing.
 */
const key = (name: string) => `draft.${name}`;

export function writeDraft(name: string, values: Record<string, unknown>, fields: readonly string[]) {
  const content = Object.fromEntries(fields.map(field => [field, values[field]]));
  tabStore.write(key(name), JSON.stringify(content));
}

/** The saved values; empty if there are none. */
export const readDraft = (name: string): Record<string, unknown> =>
  readJson<Record<string, unknown>>(tabStore, key(name)) ?? {};

export const clearDraft = (name: string) => tabStore.remove(key(name));
