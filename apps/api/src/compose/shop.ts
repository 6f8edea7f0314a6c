import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type BusMessage, listen } from '../adapters/postgres-bus.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { checkRole } from '../database/check.ts';
import { openShopDatabase } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { startHeartbeat, thisNode } from '../database/nodes.ts';
import { asApplication } from '../database/scope.ts';
import { type Env, readSandbox, warningsOf } from '../env/env.ts';
import { isDatabaseGone } from '../kernel/database-gone.ts';
import { armFailPoints } from '../kernel/failpoints.ts';
import { OperatorFault, PassingFault } from '../kernel/operator-fault.ts';
import { outageOf } from '../log/logger.ts';
import { requireSettled } from '../modules/backup/index.ts';
import { seedDemoCatalog } from '../modules/catalog/index.ts';
import { shopRecords } from '../modules/payment/index.ts';
import { createHostQuestions } from '../modules/provisioning/host-questions.ts';
import { createLongPolls } from '../modules/provisioning/long-polls.ts';
import type { Clock } from '../ports/clock.ts';
import { activateMeasured } from './activate-measured.ts';
import { type Adapters, adapters } from './adapters.ts';
import { advanceClock } from './advance-clock.ts';
import { alertingWarnings, mailWarnings } from './alerting.ts';
import { buildApi } from './api.ts';
import { createHealth } from './health.ts';
import { startHostListeners } from './hosts.ts';
import { createMeasures, metricsPort, startMetrics } from './metrics.ts';
import { buildParts } from './parts.ts';
import { readinessWarnings, strandedPayments } from './readiness.ts';
import { bindAllTasks } from './scheduled-tasks.ts';
import { startWorker } from './worker.ts';

export type Shop = {
  /** Runs every scheduled task once. Tests advance the clock and call it. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

/** The invoices and deadlines of such a database lie in the future. */
const MOVED =
  'The clock of this database was moved (npm run shop -- clock). Use another database with real payment gateways.';
/** A start waits this long for a database that fails over, or that starts beside the shop. */
const DATABASE_TIMEOUT_MS = 30_000;

/**
 * Builds the shop from its environment and starts it. Only `compose/` names adapters. A start restarts when it loses the
 * database.
 */
export const startShop = (
  env: Env,
  log: Logger,
  clock: Clock = systemClock,
  by: Adapters = adapters,
): Promise<Shop> =>
  asApplication(async () => {
    armFailPoints(env.FAILPOINT_FILE);
    for (const warning of warningsOf(env)) log.warn(warning);
    const end = performance.now() + DATABASE_TIMEOUT_MS;
    let isWaiting = false;
    for (let pause = 250; ; pause = Math.min(pause * 2, 4_000)) {
      const opened = new AsyncDisposableStack();
      try {
        return await start(opened, { env, log, clock, by });
      } catch (error) {
        await opened.disposeAsync();
        if (!isDatabaseGone(error)) throw error;
        if (performance.now() + pause > end)
          throw new PassingFault(
            `The database does not answer: ${(error as Error).message}. Check that it runs. Check DATABASE_URL.`,
          );
        if (!isWaiting) log.error({ err: error }, 'waiting for the database');
        isWaiting = true;
        await delay(pause);
      }
    }
  });

/** @param opened collects everything that must be closed again */
async function start(
  opened: AsyncDisposableStack,
  { env, log, clock, by }: { env: Env; log: Logger; clock: Clock; by: Adapters },
): Promise<Shop> {
  const node = thisNode(env.ROLE);
  const waiting = await migrate(env.DATABASE_URL, { node, log });
  await Promise.all([
    checkRole(env.DATABASE_APP_URL, 'fixpoint_app', 'DATABASE_APP_URL'),
    checkRole(env.DATABASE_CUSTOMER_URL, 'fixpoint_customer', 'DATABASE_CUSTOMER_URL'),
    checkRole(env.DATABASE_MEMBER_URL, 'fixpoint_member', 'DATABASE_MEMBER_URL'),
  ]);
  const database = openShopDatabase({
    app: env.DATABASE_APP_URL,
    customer: env.DATABASE_CUSTOMER_URL,
    member: env.DATABASE_MEMBER_URL,
  });
  opened.defer(() => database.close());
  const { db } = database;
  await requireSettled(database.application);
  const outage = outageOf(log)?.watch(() => sql`select 1`.execute(database.application), log);
  opened.defer(() => outage?.stop());
  const seen = startHeartbeat(database.application, node, log);
  opened.defer(() => seen.stop());
  if (env.SEED === 'demo') await seedDemoCatalog(db);
  for (const lack of [...(await readinessWarnings(db, env)), ...(await strandedPayments(db, env))])
    log.warn(lack);
  const time = await openShopClock(database.application, clock);
  if (time.ahead() > 0 && !env.SANDBOX_URL) throw new OperatorFault(MOVED);
  const jobs = await by.startJobs(env.DATABASE_APP_URL, log);
  opened.defer(() => jobs.stop());
  const parts = await buildParts(env, log, { clock: time, systemClock: clock }, database, jobs, by);
  opened.defer(() => parts.backups.stop());
  for (const warning of env.SANDBOX_URL ? [] : alertingWarnings(parts.alerting)) log.warn(warning);
  // Not awaited: a mail server that hangs must not delay the shop.
  void mailWarnings(parts.mailer).then(warnings => warnings.forEach(warning => void log.warn(warning)));
  const { tasks, runAllTasks } = bindAllTasks(parts, waiting);
  const longPolls = createLongPolls();
  const hostQuestions = createHostQuestions();

  const health = await createHealth(parts, {
    node,
    dataDir: env.DATA_DIR,
    minFreeMb: env.DISK_MIN_FREE_MB,
  });
  const measures = createMeasures();
  const activate = activateMeasured(parts, measures.provisioned);
  const works = env.ROLE !== 'api';
  const sandbox = readSandbox(env);
  const forSandbox = sandbox && {
    token: sandbox.token,
    move: (ms: number) => advanceClock({ db: database.application, clock: time, jobs, sandbox }, ms),
    shopRecords: () => shopRecords(database.application),
  };
  const api = env.ROLE === 'worker' ? undefined : await buildApi(parts, forSandbox, hostQuestions, health);
  opened.defer(() => api?.close());
  if (works) await startWorker(parts, { tasks, runAllTasks }, by, activate);
  const metricsAt = metricsPort(env);
  if (metricsAt.port) {
    const metrics = await startMetrics(parts, metricsAt, measures.registry, {
      health,
      pools: database.pools,
    });
    opened.defer(() => metrics.close());
  }
  const hear = (message: BusMessage): void => {
    if (message.kind === 'host') longPolls.wake(message.hostId);
    else if (message.kind === 'question') {
      hostQuestions.heard(message.hostId, message.question);
      longPolls.wake(message.hostId);
    } else if (message.kind === 'answer') hostQuestions.answered(message.hostId, message.answer);
    else if (message.kind === 'job') jobs.announced(message.queue);
    else if (message.kind === 'clock') void time.refresh().catch(error => log.warn({ err: error }, 'clock'));
    else if (message.kind === 'masterKey') void refreshKey();
    else if (message.kind === 'jobs') void (works && takeRequests());
    else if (message.kind === 'disconnect') api?.socket.disconnect(message.target);
    else {
      if (message.event === 'MAINTENANCE') parts.maintenance.heard(message.payload === 'MAINTENANCE');
      api?.socket.emit(message);
    }
  };
  const refreshKey = () =>
    parts.masterKey.refresh().catch(error => log.error({ err: error }, 'cannot load the changed master key'));
  const takeRequests = () =>
    asApplication(() => jobs.takeRequests(db)).catch(error =>
      log.warn({ err: error }, 'cannot take job requests'),
    );
  const bus = await listen(env.DATABASE_APP_URL, log, hear, () => {
    longPolls.wakeAll();
    parts.maintenance.forget();
    void time.refresh().catch(error => log.warn({ err: error }, 'clock'));
    void refreshKey();
    // Messages about ended sessions may be lost, so all sockets are cut; those with a session reconnect at once.
    api?.socket.disconnectAll();
  });
  opened.defer(() => bus.stop());
  if (api) {
    const placeWaiting = tasks.find(({ name }) => name === 'placeWaiting')!;
    const hosts = await startHostListeners(parts, longPolls.wait, hostQuestions, placeWaiting, activate);
    opened.defer(() => hosts.close());
    await api.open();
  }
  opened.defer(() => {
    longPolls.end();
    hostQuestions.end();
  });

  return {
    sweep: () => asApplication(runAllTasks),
    close: () => opened.disposeAsync(),
  };
}
