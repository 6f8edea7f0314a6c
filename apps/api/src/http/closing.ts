import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Calls that are being answered have so long to come to their end. */
const PATIENCE_MS = 2_000;

/**
 * How a server ends. By itself it waits for every connection that is not idle — that is being answered, has asked nothing
 * yet, shakes hands, or was upgraded to a live socket — for as long as the other side likes, or the database.
 * @returns ends it; whatever is left of its connections after two seconds is cut
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
    }, PATIENCE_MS);
    await app.close();
    clearTimeout(late);
  };
}
