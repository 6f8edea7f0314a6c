/**
 * key — owns key, certificates, profile file.
 * Promises: no private key is kept; a deleted key is refused for good; names and numbers are held by the database.
 * Listens to nothing.
 */
export { keyHandlers } from './handlers.ts';
export { dropSurplusKeys, fileVersion } from './keys.ts';
export { eraseKeys, keysOf } from './personal.ts';
