import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Differing, driftPage } from './drift-page.ts';

/**
 * What the operator's monitoring asks, and a page for who looks himself; never on the customers' port (S72). Both hold
 * numbers only, and nobody's (S82).
 */
export function metricsServer(
  log: Logger,
  registry: Registry,
  readDrift: () => Promise<Differing[]>,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance;
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  app.get('/drift', async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(driftPage(await readDrift())),
  );
  return app;
}
