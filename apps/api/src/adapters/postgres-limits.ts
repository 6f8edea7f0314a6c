import { FREE_TRIES, TRIES_WINDOW_MS, tryDelaySeconds } from '@fixpoint/domain/account/try-limit.ts';
import { type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import { createMac } from '../crypto/secrets.ts';
import { createBatcher } from '../database/batcher.ts';
import { prepareQuery } from '../database/prepared-queries.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Limits, TryClaim, TryCounter } from '../ports/limits.ts';
import type { Tables } from '../ports/tables.ts';

/** Delays by number of tries; the last one applies to all further tries. */
const MOST_DELAYS = 16;
/**
 * Expired counters deleted per run: more than are created, but few enough for a short statement.
 */
const SWEPT_AT_ONCE = 5000;
const delays = (longest: number): number[] =>
  Array.from({ length: MOST_DELAYS }, (_, index) => tryDelaySeconds(index + 1, longest));

type Hit = { name: string; seconds: number };
type Counted = { count: number; endsIn: number };
type Count = { key: Buffer; count: number; ends_at: Date };

type Insert = InsertQueryBuilder<Tables, 'limit_count', InsertResult>;
/**
 * Increments a running counter, or restarts an expired one. `next_at` of the new row is the current
 * time.
 */
const counting = (insert: Insert) =>
  insert
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        count: sql`excluded.count + case when limit_count.ends_at <= excluded.next_at then 0 else limit_count.count end`,
        ends_at: sql`case when limit_count.ends_at <= excluded.next_at then excluded.ends_at else limit_count.ends_at end`,
      }),
    )
    .returning(['key', 'count', 'ends_at']);

/** Increments one counter. Most come alone, and a list of one costs more than a row. */
const countOne = prepareQuery((db, { key, ends, now }: { key: Buffer; ends: Date; now: Date }) =>
  counting(db.insertInto('limit_count').values({ key, count: 1, ends_at: ends, next_at: now })),
);

/** Increments several distinct counters. */
const countAll = prepareQuery(
  (db, { keys, counts, ends, now }: { keys: Buffer[]; counts: number[]; ends: Date[]; now: Date }) =>
    counting(
      db
        .insertInto('limit_count')
        .columns(['key', 'count', 'ends_at', 'next_at'])
        .expression(
          db
            .selectFrom(
              sql<Count>`unnest(${keys}::bytea[], ${counts}::int[], ${ends}::timestamptz[])`.as<'asked'>(
                sql`asked (key, count, ends_at)`,
              ),
            )
            .select([
              'asked.key',
              'asked.count',
              'asked.ends_at',
              sql<Date>`${now}::timestamptz`.as('next_at'),
            ]),
        ),
    ),
);

const readAll = prepareQuery((db, { keys, now }: { keys: Buffer[]; now: Date }) =>
  db
    .selectFrom('limit_count')
    .select(['key', 'count', 'ends_at'])
    .where('key', '=', sql<Buffer>`any(${keys}::bytea[])`)
    .where('ends_at', '>', now),
);

/** @returns the counters after the increment, in the order of `asked` */
async function countTogether(db: Db, now: Date, asked: readonly Count[]): Promise<Count[]> {
  const rows = await countAll(db, {
    keys: asked.map(({ key }) => key),
    counts: asked.map(({ count }) => count),
    ends: asked.map(({ ends_at }) => ends_at),
    now,
  });
  return asked.map(({ key }) => rows.find(row => row.key.equals(key))!);
}

/** Rolls a transaction back. */
class NotTaken extends Error {
  readonly claim: TryClaim;
  constructor(claim: TryClaim) {
    super('not taken');
    this.claim = claim;
  }
}

/**
 * Rate limits: counters in PostgreSQL, so that concurrent requests on all nodes are counted; those
 * of one node are batched into one statement. Names contain addresses and emails, so only their
 * hashes are stored.
 */
export function createPostgresLimits(db: Db, clock: Clock, root: Buffer): Limits {
  const keyOf = createMac(root, 'limits');
  const after = (ms: number): Date => new Date(clock.now().getTime() + ms);
  const secondsTo = (at: Date): number =>
    Math.max(1, Math.ceil((at.getTime() - clock.now().getTime()) / 1000));

  async function claimOne(tx: Db, { name, longest }: TryCounter, proved: boolean): Promise<TryClaim> {
    const now = clock.now();
    const { rows } = await sql`
      insert into limit_count as l (key, count, ends_at, next_at)
      values (${keyOf(name)}, 1, ${after(TRIES_WINDOW_MS)}, ${now})
      on conflict (key) do update set
        count = case when l.ends_at <= ${now} then 1 else l.count + 1 end,
        ends_at = excluded.ends_at,
        next_at = case when l.ends_at <= ${now} then ${now}::timestamptz else ${now}::timestamptz
          + make_interval(secs => (${sql.val(delays(longest))}::int[])[least(l.count + 1, ${MOST_DELAYS})]) end
      where l.ends_at <= ${now} or (l.next_at <= ${now} and (l.count < ${FREE_TRIES} or ${proved}))
      returning count`.execute(tx);
    if (rows.length > 0) return 'taken';
    const row = await tx
      .selectFrom('limit_count')
      .select('next_at')
      .where('key', '=', keyOf(name))
      .executeTakeFirst();
    // Reset meanwhile, because the secret was right.
    if (!row) return { wait: 1 };
    return row.next_at > now ? { wait: secondsTo(row.next_at) } : 'proofWanted';
  }

  async function hitOne({ name, seconds }: Hit): Promise<Counted> {
    const ends = after(seconds * 1000);
    const [row] = await countOne(db, { key: keyOf(name), ends, now: clock.now() });
    return { count: row!.count, endsIn: secondsTo(row!.ends_at) };
  }

  /** Counts each hit of a batch separately, in order. */
  async function hitAll(hits: readonly Hit[]): Promise<Counted[]> {
    if (hits.length === 1) return [await hitOne(hits[0]!)];
    const byName = Map.groupBy(hits, ({ name }) => name);
    // In the same order on all nodes, so that concurrent batches cannot deadlock.
    const groups = [...byName].sort(([one], [other]) => (one < other ? -1 : 1));
    const rows = await countTogether(
      db,
      clock.now(),
      groups.map(([name, same]) => ({
        key: keyOf(name),
        count: same.length,
        ends_at: after(same[0]!.seconds * 1000),
      })),
    );
    const counted = new Map(
      groups.map(([name, same], index) => {
        const { count, ends_at: endsAt } = rows[index]!;
        return [name, { count: count - same.length, endsIn: secondsTo(endsAt) }];
      }),
    );
    return hits.map(({ name }) => {
      const of = counted.get(name)!;
      of.count += 1;
      return { ...of };
    });
  }
  const hit = createBatcher(hitAll);

  return {
    hit: (name, seconds) => hit({ name, seconds }),

    async read<Names extends readonly string[]>(...names: Names) {
      const keys = names.map(keyOf);
      const rows = await readAll(db, { keys, now: clock.now() });
      const counted = keys.map((key): Counted => {
        const row = rows.find(one => one.key.equals(key));
        return row ? { count: row.count, endsIn: secondsTo(row.ends_at) } : { count: 0, endsIn: 0 };
      });
      return counted as { [I in keyof Names]: Counted };
    },

    async claimTry(counters, proved) {
      try {
        await db.transaction().execute(async tx => {
          for (const counter of counters) {
            const claim = await claimOne(tx, counter, proved);
            if (claim !== 'taken') throw new NotTaken(claim);
          }
        });
        return 'taken';
      } catch (error) {
        if (error instanceof NotTaken) return error.claim;
        throw error;
      }
    },

    async forget(...names) {
      // One statement each, so that it cannot deadlock with a try that holds one counter and waits
      // for the next.
      for (const name of names) await db.deleteFrom('limit_count').where('key', '=', keyOf(name)).execute();
    },

    async release(...names) {
      if (names.length === 0) return;
      // Locked in the order in which a batch raises them, so that the two cannot deadlock.
      const keys = names.toSorted((one, other) => (one < other ? -1 : 1)).map(keyOf);
      await sql`with held as (
          select key from unnest(${keys}::bytea[]) with ordinality as asked (key, n) join limit_count using (key)
          order by n for update of limit_count)
        update limit_count set count = count - 1 where count > 0 and key in (select key from held)`.execute(
        db,
      );
    },

    async sweep() {
      await sql`delete from limit_count where ctid = any(array(
        select ctid from limit_count where ends_at < ${clock.now()} order by ends_at limit ${SWEPT_AT_ONCE}))`.execute(
        db,
      );
    },
  };
}
