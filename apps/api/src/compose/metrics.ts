import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Registry } from 'prom-client';
import { metricsServer } from '../http/metrics.ts';
import { openAlertCounts } from '../modules/alert/index.ts';
import { driftByHost, driftSum, entitlementDrift, servedNowhere } from '../modules/provisioning/index.ts';
import type { Parts } from './parts.ts';

/** How often it is looked whether the program is busy with one thing, in ms; so much is part of what is measured. */
const LOOK_MS = 5;

/** How long the program was busy with one thing since this was last asked, in seconds. Nobody else is answered meanwhile. */
function measureHolds() {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  return {
    take(): Record<string, number> {
      const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOK_MS / 1000);
      const holds = {
        '0.5': seconds(delays.percentile(50)),
        '0.99': seconds(delays.percentile(99)),
        '1': seconds(delays.max),
      };
      delays.reset();
      return holds;
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

/** One gauge, read when monitoring asks: for each value of its label a number. What is gone since is not shown. */
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
 * Listens for the operator's monitoring. Gauges of the database are the same on every node and worker. The registry is
 * this shop's own, because several shops may run in one process.
 */
export async function startMetrics({ env, log, application }: Parts): Promise<{ close(): Promise<void> }> {
  const holds = measureHolds();
  const registry = new Registry();
  register(registry, {
    name: 'fixpoint_alert_open',
    help: 'Open alerts: npm run shop -- alerts',
    label: 'kind',
    read: () => openAlertCounts(application),
  });
  register(registry, {
    name: 'fixpoint_entitlement_drift',
    help: 'Where a VPN host is not what was paid for, and what is paid and on none: npm run shop -- host drift',
    label: 'host',
    read: async () => ({
      ...Object.fromEntries((await entitlementDrift(application)).map(host => [host.id, driftSum(host)])),
      none: await servedNowhere(application),
    }),
  });
  register(registry, {
    name: 'fixpoint_event_loop_held_seconds',
    help: 'How long this program was busy with one thing, since it was last asked',
    label: 'quantile',
    read: holds.take,
  });
  register(registry, {
    name: 'fixpoint_cpu_seconds',
    help: 'CPU that this program has used since its start',
    label: 'mode',
    read: usedCpu,
  });
  const app = metricsServer(log, registry, () => driftByHost(application));
  await app.listen({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  return {
    async close() {
      holds.stop();
      await app.close();
    },
  };
}
