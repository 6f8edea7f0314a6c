import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Gauge, metricsServer } from '../http/metrics.ts';
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

/** Listens for the operator's monitoring. What is of the database every node and worker says alike. */
export async function startMetrics({ env, log, application }: Parts): Promise<{ close(): Promise<void> }> {
  const holds = measureHolds();
  const gauges = async (): Promise<Gauge[]> => [
    {
      name: 'fixpoint_alert_open',
      help: 'Open alerts: npm run shop -- alerts',
      label: 'kind',
      values: await openAlertCounts(application),
    },
    {
      name: 'fixpoint_entitlement_drift',
      help: 'Where a VPN host is not what was paid for, and what is paid and on none: npm run shop -- host drift',
      label: 'host',
      values: {
        ...Object.fromEntries((await entitlementDrift(application)).map(host => [host.id, driftSum(host)])),
        none: await servedNowhere(application),
      },
    },
    {
      name: 'fixpoint_event_loop_held_seconds',
      help: 'How long this program was busy with one thing, since it was last asked',
      label: 'quantile',
      values: holds.take(),
    },
    {
      name: 'fixpoint_cpu_seconds',
      help: 'CPU that this program has used since its start',
      label: 'mode',
      values: usedCpu(),
    },
  ];
  const app = metricsServer(log, gauges, () => driftByHost(application));
  await app.listen({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  return {
    async close() {
      holds.stop();
      await app.close();
    },
  };
}
