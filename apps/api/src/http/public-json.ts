import type { FastifyInstance } from 'fastify';
import { sendPublic } from './public-answer.ts';

/** Serves a file for everybody, machines included: the no-logs reports, the status of the places. */
export function servePublicJson(app: FastifyInstance, path: string, read: () => Promise<object>): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const page = await read();
    return sendPublic(request, reply.header('cache-control', 'no-cache'), page, () => JSON.stringify(page));
  });
}
