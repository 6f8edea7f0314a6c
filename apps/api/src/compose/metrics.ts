import { metricsServer } from '../http/metrics.ts';
import { openMatters } from '../modules/attention/index.ts';
import type { Parts } from './parts.ts';

/** Listens for the operator's monitoring. Every node and worker says the same: it is of the database. */
export async function startMetrics({ env, log, application }: Parts): Promise<{ close(): Promise<void> }> {
  const app = metricsServer(log, async () => [
    {
      name: 'fixpoint_attention_open',
      help: 'Matters that somebody has to act on: npm run shop -- attention',
      label: 'kind',
      values: await openMatters(application),
    },
  ]);
  await app.listen({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  return app;
}
