/**
 * key — owns key, certificates, profile file, the port that leads to a device.
 * Promises: no private key is kept; a deleted key is refused for good; names and numbers are held by the database; one port leads
 * to one device, and only where the plan has it.
 * Listens to nothing.
 */

export { closePort } from './forward-port.ts';
export { keyHandlers } from './handlers.ts';
export { dropSurplusKeys, fileVersion } from './keys.ts';
export { newestFiles } from './notify-file-expiry.ts';
export { eraseKeys, keysOf } from './personal.ts';
export { keyTasks } from './tasks/index.ts';
