import type { FastifyInstance } from 'fastify';
import type { Health } from '../kernel/health.ts';

/**
 * Health checks of supervisors and proxies. `/healthz`: the process is alive. `/readyz`: it can work; if not, HTTP 503 and
 * what is wrong. docs/operate/watching.md describes both.
 */
export function serveHealth(app: FastifyInstance, check: () => Promise<Health>): void {
  // A busy process is alive: whoever restarts it then makes matters worse.
  app.get(
    '/healthz',
    { schema: { hide: true }, config: { pressureHandler: () => undefined } },
    async (_request, reply) => reply.header('cache-control', 'no-store').send({ alive: true }),
  );
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const health = await check();
    return reply
      .header('cache-control', 'no-store')
      .status(health.ready ? 200 : 503)
      .send(health);
  });
}
