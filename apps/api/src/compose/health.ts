import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Applied, differenceOf, MIGRATIONS, readMigrations } from '../database/migration-files.ts';
import { beat, type Node } from '../database/nodes.ts';
import { type Health, judgeHealth, type Measured } from '../kernel/health.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { freeBytesOf } from './free-bytes.ts';

/** A judgement serves for this long, so that probes cost no more than one write each. In ms. */
const FRESH_MS = 2_000;
/** Time that the database has to answer, in ms. */
const ANSWER_MS = 3_000;

/**
 * Whether this node can work: its database answers, can be written and has this version's migrations, its clock agrees with
 * the database's, and its data folder has room. What is wrong besides the database is logged once, and when it is over.
 */
export async function createHealth(
  { application, systemClock, log }: { application: Db; systemClock: Clock; log: Logger },
  { node, dataDir, minFreeMb }: { node: Node; dataDir: string; minFreeMb: number },
): Promise<() => Promise<Health>> {
  const files = await readMigrations(MIGRATIONS);

  async function askDatabase(): Promise<Measured['database']> {
    await beat(application, node);
    const { rows } = await sql<{ now: Date; applied: Applied[] }>`
      select clock_timestamp() as now,
        (select json_agg(json_build_object('name', name, 'kind', kind, 'sha256', sha256)) from migration) as applied`.execute(
      application,
    );
    const { missing, unknown, changed } = differenceOf(rows[0]!.applied, files);
    const lacks = missing.filter(({ later }) => !later);
    const difference = { missing: lacks.length, foreign: unknown.contract.length + changed.length };
    return { now: rows[0]!.now, difference };
  }

  /** One question at a time: those to a silent database would take all connections of the pool. */
  let asking: Promise<Measured['database']> | undefined;
  const database = (): Promise<Measured['database']> => {
    asking ??= askDatabase()
      .catch((error: Error) => error)
      .finally(() => {
        asking = undefined;
      });
    return Promise.race([asking, delay(ANSWER_MS, new Error('no answer'), { ref: false })]);
  };

  let known: { health: Health; at: number } | undefined;
  let coming: Promise<Health> | undefined;
  const judge = async (): Promise<Health> => {
    const from = systemClock.now();
    const [found, freeBytes] = await Promise.all([
      database(),
      freeBytesOf(dataDir).catch((error: Error) => error),
    ]);
    const asked = { from, to: systemClock.now() };
    const health = judgeHealth({ database: found, asked, freeBytes }, minFreeMb);
    notice(health);
    known = { health, at: performance.now() };
    return health;
  };

  let isWell = true;
  /** The log already says when the database goes and comes back. */
  const notice = ({ ready, checks }: Health) => {
    if (ready === isWell || checks.database !== 'ok') return;
    isWell = ready;
    if (ready) log.warn('this node is ready again');
    else log.error(`this node is not ready: ${faults(checks)}`);
  };

  return async () => {
    if (known && performance.now() - known.at < FRESH_MS) return known.health;
    coming ??= judge().finally(() => {
      coming = undefined;
    });
    return coming;
  };
}

const faults = (checks: Health['checks']): string =>
  Object.entries(checks)
    .filter(([, found]) => found !== 'ok')
    .map(([name, found]) => `${name}: ${found}`)
    .join('; ');
