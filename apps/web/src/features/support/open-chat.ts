import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Whether the chat stands open. One for the page: opened in one place, it stays while the screens change. */
export const chatOpen = createStore(false);
