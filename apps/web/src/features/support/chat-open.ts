import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Whether the chat is open. Global, so that it stays open across screens. */
export const chatOpen = createStore(false);
