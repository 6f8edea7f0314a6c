import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time for running calls to end. */
const TIMEOUT_MS = 2_000;

/**
 * Shuts a server down. Fastify alone waits without limit for every connection that is not idle:
 * answering, silent, in a handshake, or upgraded to a live socket.
 * @returns ends the server; connections that are left after two seconds are cut
 */
export function closing(app: FastifyInstance): () => Promise<void> {
  const open = new Set<Socket>();
  app.server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async () => {
    const late = setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, TIMEOUT_MS);
    await app.close();
    clearTimeout(late);
  };
}
