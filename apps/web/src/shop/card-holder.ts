import { tabStore } from '@fixpoint/ui/lib/storage.ts';

const KEY = 'cardHolder';

/**
 * The name on the card as typed in this window, for a reload and for a page that was left. Nothing
 * else of a card is ever stored.
 */
export const cardHolder = {
  read: (): string => tabStore.read(KEY) ?? '',
  save: (name: string): void => void tabStore.write(KEY, name),
  forget: (): void => tabStore.remove(KEY),
};
