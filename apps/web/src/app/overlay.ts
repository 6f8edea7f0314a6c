import { createStore } from '@fixpoint/ui/lib/store.ts';

/** The global flag: while it is set the page is covered, and neither keyboard nor reader gets at it. */
export const overlay = createStore(false);
