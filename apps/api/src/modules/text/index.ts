/**
 * text — owns the text bundle and its version, terms, policy, the maintenance flag.
 * Promises: no key is ever without a text; buying is blocked while maintenance is on.
 * Listens to nothing.
 */
export { textHandlers } from './handlers.ts';
export { isMaintenance, setMaintenance } from './maintenance.ts';
