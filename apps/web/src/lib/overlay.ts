import { createStore } from './store.ts';

/** The global flag of spec section 2: while it is set the page is covered, and neither keyboard nor reader gets at it. */
export const overlay = createStore(false);
