/**
 * live — owns rooms, socket tokens.
 * Promises: a socket hears only its own order or its own customer, and ends with its order or its session.
 * Listens to: the live bus.
 */
export { createLiveSocket } from './socket.ts';
