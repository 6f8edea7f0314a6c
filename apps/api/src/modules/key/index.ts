/**
 * key — owns key, certificates, profile file, forwarded port.
 * Promises: no private key is stored; a deleted key is refused for good; the database enforces names and limits; one port
 * leads to one device, and only where the plan includes it.
 * Listens to nothing.
 */

export { devicesByUser, endDevicesOf, moveDevices } from './devices-of-user.ts';
export { closePort } from './forward-port.ts';
export { keyHandlers } from './handlers.ts';
export { dropSurplusKeys, fileVersion } from './keys.ts';
export { emailedFileLink } from './link-key.ts';
export { newestFiles } from './notify-file-expiry.ts';
export { eraseKeys, keysOf } from './personal.ts';
export { keyTasks } from './tasks/index.ts';
