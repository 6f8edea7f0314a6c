import type { NoLogsPage } from '@fixpoint/contract/no-logs.ts';
import type { FastifyInstance } from 'fastify';
import { sendPublic } from './public-answer.ts';

/** `/no-logs.json`: the signed no-logs reports, for everybody. */
export function serveNoLogs(app: FastifyInstance, read: () => Promise<NoLogsPage>): void {
  app.get('/no-logs.json', { schema: { hide: true } }, async (request, reply) => {
    const page = await read();
    return sendPublic(request, reply.header('cache-control', 'no-cache'), page, () => JSON.stringify(page));
  });
}
