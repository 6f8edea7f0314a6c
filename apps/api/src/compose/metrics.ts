import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUse } from '../database/database.ts';
import type { Env } from '../env/env.ts';
import { serveHealth } from '../http/health.ts';
import { listenOn } from '../http/listen.ts';
import { metricsServer } from '../http/metrics.ts';
import type { Health } from '../kernel/health.ts';
import { driftByHost } from '../modules/provisioning/index.ts';
import { freeBytesOf } from './free-bytes.ts';
import type { Parts } from './parts.ts';
import { createReader, readings, type Sample, samplesOf } from './shop-readings.ts';

/** Sampling interval of the event-loop delay in ms; each sample contains it. */
const SAMPLE_MS = 5;
/** Seconds from a purchase to its tunnel. */
const PROVISIONING_BUCKETS = [5, 10, 20, 30, 60, 120, 300, 600, 3600];

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

type Gauged = {
  name: string;
  help: string;
  labels: string[];
  read: () => Sample[] | Promise<Sample[]>;
};

/** Registers a gauge that is read at each scrape. Values that are gone disappear. */
const register = (registry: Registry, { name, help, labels, read }: Gauged): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      // A metric without labels would be 0 where nothing is known.
      if (samples.length === 0 && labels.length === 0) this.remove();
      for (const { labels, value } of samples) this.set(labels, value);
    },
  });

/** The metrics of this process. The registry is this shop's own, because several shops may run in one process. */
export function createMeasures() {
  const registry = new Registry();
  const provisioning = new Histogram({
    name: 'fixpoint_provisioning_seconds',
    help: 'Time from a purchase to its tunnel, of the tunnels that this process has activated',
    buckets: PROVISIONING_BUCKETS,
    registers: [registry],
  });
  return { registry, provisioned: (seconds: number) => provisioning.observe(seconds) };
}

/** The port of the metrics of this node, and the setting that names it; 0: none. */
export const metricsPort = ({
  ROLE,
  METRICS_PORT,
  WORKER_METRICS_PORT,
}: Pick<Env, 'ROLE' | 'METRICS_PORT' | 'WORKER_METRICS_PORT'>) =>
  ROLE === 'worker' && WORKER_METRICS_PORT !== undefined
    ? { port: WORKER_METRICS_PORT, name: 'WORKER_METRICS_PORT' }
    : { port: METRICS_PORT, name: 'METRICS_PORT' };

/**
 * Starts the metrics endpoint.
 * @param at its port
 * @param node whether this node can work, and how its connections are used
 */
export async function startMetrics(
  parts: Parts,
  at: ReturnType<typeof metricsPort>,
  registry: Registry,
  node: { health: () => Promise<Health>; pools: () => Record<string, PoolUse> },
): Promise<{ close(): Promise<void> }> {
  const { env, log, application } = parts;
  const eventLoopDelay = measureEventLoopDelay();
  const readingOf = createReader(parts);
  for (const reading of readings) register(registry, { ...reading, read: () => readingOf(reading) });
  register(registry, {
    name: 'fixpoint_ready',
    help: '1: this check of /readyz is ok',
    labels: ['check'],
    read: async () =>
      Object.entries((await node.health()).checks).map(([check, found]) => ({
        labels: { check },
        value: found === 'ok' ? 1 : 0,
      })),
  });
  register(registry, {
    name: 'fixpoint_disk_free_bytes',
    help: 'Free space of DATA_DIR',
    labels: [],
    read: () =>
      freeBytesOf(env.DATA_DIR).then(
        value => [{ labels: {}, value }],
        () => [],
      ),
  });
  register(registry, {
    name: 'fixpoint_database_connections',
    help: 'Connections of this process by pool; waiting: callers that wait for one',
    labels: ['pool', 'state'],
    read: () =>
      Object.entries(node.pools()).flatMap(([pool, use]) =>
        Object.entries(use).map(([state, value]) => ({ labels: { pool, state }, value })),
      ),
  });
  register(registry, {
    name: 'fixpoint_event_loop_held_seconds',
    help: 'Event-loop delay since the last scrape',
    labels: ['quantile'],
    read: () => samplesOf('quantile', eventLoopDelay.take()),
  });
  register(registry, {
    name: 'fixpoint_cpu_seconds',
    help: 'CPU time that this process has used since its start',
    labels: ['mode'],
    read: () => {
      const { user, system } = process.cpuUsage();
      return samplesOf('mode', { user: user / 1e6, system: system / 1e6 });
    },
  });
  const app = metricsServer(log, registry, () => driftByHost(application));
  // A worker has no other port.
  serveHealth(app, node.health);
  await listenOn(app, { port: at.port, host: env.METRICS_HOST }, { port: at.name, host: 'METRICS_HOST' });
  return {
    async close() {
      eventLoopDelay.stop();
      await app.close();
    },
  };
}
