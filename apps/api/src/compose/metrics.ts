import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Registry } from 'prom-client';
import { serveHealth } from '../http/health.ts';
import { listenOn } from '../http/listen.ts';
import { metricsServer } from '../http/metrics.ts';
import type { Health } from '../kernel/health.ts';
import { openAlertCounts } from '../modules/alert/index.ts';
import { newestBackup } from '../modules/backup/index.ts';
import { driftByHost, driftSum, entitlementDrift, servedNowhere } from '../modules/provisioning/index.ts';
import type { Parts } from './parts.ts';

/** Sampling interval of the event-loop delay in ms; each sample contains it. */
const SAMPLE_MS = 5;

/** Measures the event-loop delay since the last scrape, in seconds: for that long no request is answered. */
function measureEventLoopDelay() {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  return {
    take(): Record<string, number> {
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - SAMPLE_MS / 1000);
      const quantiles = {
        '0.5': seconds(delays.percentile(50)),
        '0.99': seconds(delays.percentile(99)),
        '1': seconds(delays.max),
      };
      delays.reset();
      return quantiles;
    },
    stop: () => void delays.disable(),
  };
}

const usedCpu = (): Record<string, number> => {
  const { user, system } = process.cpuUsage();
  return { user: user / 1e6, system: system / 1e6 };
};

type Gauged = {
  name: string;
  help: string;
  label: string;
  read: () => Record<string, number> | Promise<Record<string, number>>;
};

/** Registers a gauge that is read at each scrape: a number for each value of its label. Values that are gone disappear. */
const register = (registry: Registry, { name, help, label, read }: Gauged): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read();
      this.reset();
      for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number);
    },
  });

/**
 * Starts the metrics endpoint. Gauges from the database are the same on every node and worker. The registry is this shop's
 * own, because several shops may run in one process.
 */
export async function startMetrics(
  { env, log, application }: Parts,
  health: () => Promise<Health>,
): Promise<{ close(): Promise<void> }> {
  const eventLoopDelay = measureEventLoopDelay();
  const registry = new Registry();
  register(registry, {
    name: 'fixpoint_alert_open',
    help: 'Open alerts: npm run shop -- alerts',
    label: 'kind',
    read: () => openAlertCounts(application),
  });
  register(registry, {
    name: 'fixpoint_entitlement_drift',
    help: 'Differences between VPN hosts and what was paid for; none: paid subscriptions without a host: npm run shop -- host drift',
    label: 'host',
    read: async () => ({
      ...Object.fromEntries((await entitlementDrift(application)).map(host => [host.id, driftSum(host)])),
      none: await servedNowhere(application),
    }),
  });
  register(registry, {
    name: 'fixpoint_backup_timestamp_seconds',
    help: 'When the newest backup was made, and the newest that was copied to another machine: npm run shop -- backup list',
    label: 'state',
    read: async () => {
      const newest = Object.entries(await newestBackup(application));
      return Object.fromEntries(newest.flatMap(([state, at]) => (at ? [[state, at.getTime() / 1000]] : [])));
    },
  });
  register(registry, {
    name: 'fixpoint_event_loop_held_seconds',
    help: 'Event-loop delay since the last scrape',
    label: 'quantile',
    read: eventLoopDelay.take,
  });
  register(registry, {
    name: 'fixpoint_cpu_seconds',
    help: 'CPU time that this process has used since its start',
    label: 'mode',
    read: usedCpu,
  });
  const app = metricsServer(log, registry, () => driftByHost(application));
  // A worker has no other port.
  serveHealth(app, health);
  await listenOn(
    app,
    { port: env.METRICS_PORT, host: env.METRICS_HOST },
    { port: 'METRICS_PORT', host: 'METRICS_HOST' },
  );
  return {
    async close() {
      eventLoopDelay.stop();
      await app.close();
    },
  };
}
