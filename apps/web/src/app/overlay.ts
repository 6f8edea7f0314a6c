import { createStore } from '@fixpoint/ui/lib/store.ts';

/** While true, an overlay blocks the page for keyboard and screen readers. */
export const overlay = createStore(false);
