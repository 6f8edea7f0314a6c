/**
 * live — owns socket rooms, socket tokens.
 * Promises: a socket receives events of its own order or customer only, and ends with its order or session.
 * Listens to: the live bus.
 */
export { createLiveSocket } from './socket.ts';
