import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { type Differing, driftPage } from './drift-page.ts';

/** A number that goes up and down, for each value of one label. */
export type Gauge = { name: string; help: string; label: string; values: Record<string, number> };

/** In the text format of Prometheus, version 0.0.4. Names and labels are our own words and need no escapes. */
const written = ({ name, help, label, values }: Gauge): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...Object.entries(values).map(([value, number]) => `${name}{${label}="${value}"} ${number}`),
    '',
  ].join('\n');

/**
 * What the operator's monitoring asks, and a page for who looks himself; never on the customers' port (S72). Both hold
 * numbers only, and nobody's (S82).
 */
export function metricsServer(
  log: Logger,
  read: () => Promise<Gauge[]>,
  readDrift: () => Promise<Differing[]>,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance;
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send((await read()).map(written).join('')),
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
