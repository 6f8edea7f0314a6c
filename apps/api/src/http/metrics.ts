import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Differing, driftPage } from './drift-page.ts';

/**
 * Metrics for the operator's monitoring and the drift page; never on the customers' port (S72).
 * They contain only aggregate numbers (S82).
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
