import { openDatabase } from '@fixpoint/api/database/database.ts';
import { seedDemoCatalog } from '@fixpoint/api/modules/catalog/index.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { sql } from 'kysely';
import { alerts } from './alerts.ts';
import { payments } from './payments.ts';
import { people } from './people.ts';
import { places } from './places.ts';
import { sales } from './sales.ts';
import type { Size } from './size.ts';
import { tunnels } from './tunnels.ts';

/**
 * SQL functions that all steps use, in a temporary schema. Ids look like the shop's and are the same wherever a step names
 * the same thing; times spread over the days before `now`. Each is simple enough to be inlined, because it is called a
 * million times.
 */
const sqlHelpers = (now: Date, compact: boolean): string[] => [
  'create schema filling',
  `create function filling.id(kind text, n bigint) returns text language sql immutable
    return kind || '_' || ${compact ? "lpad(n::text, 20, '0')" : 'substr(md5(kind || n::text), 1, 20)'}`,
  `create function filling.hash(of bytea) returns bytea language sql immutable
    return ${compact ? "substr(of || decode(repeat('00', 32), 'hex'), 1, 32)" : 'sha256(of)'}`,
  `create function filling.present() returns timestamptz language sql immutable
    return timestamptz '${now.toISOString()}'`,
  `create function filling.ago(n bigint, days int) returns timestamptz language sql stable
    return filling.present() - make_interval(secs => n * 7919 % (days * 86400))`,
  `create function filling.seller() returns jsonb language sql immutable
    return '{"brand": "Fixpoint", "company": "Fixpoint", "address": "", "taxId": ""}'::jsonb`,
  'set local search_path = public, filling',
  "set local work_mem = '64MB'",
  "set local maintenance_work_mem = '256MB'",
];

/**
 * Fills a migrated database with the data of some years, in one transaction and with every constraint; its ledger
 * balances. Nothing is due at `now`: scheduled tasks find nothing to do.
 * @param url with the rights of the tables' owner
 * @param options.compact ids and hashes count up instead of looking random, so that a dump is small
 * @returns duration per table in ms
 */
export async function fillShop(
  url: string,
  size: Size,
  now: Date,
  { compact = false } = {},
): Promise<Map<string, number>> {
  const { db, close } = openDatabase(url, 1);
  const times = new Map<string, number>();
  const timed = async (table: string, work: () => Promise<void>) => {
    const begun = performance.now();
    await work();
    times.set(table, (times.get(table) ?? 0) + performance.now() - begun);
  };
  try {
    // The pool has one connection, so this applies to everything.
    await run(db, 'set statement_timeout = 0');
    await seedDemoCatalog(db);
    await db.transaction().execute(async tx => {
      for (const statement of sqlHelpers(now, compact)) await run(tx, statement);
      const restore = await dropConstraints(tx);
      for (const { table, sql: text } of [people, places, sales, payments, tunnels, alerts].flatMap(make =>
        make(size),
      )) {
        await timed(table, () => run(tx, text));
      }
      await timed('foreign keys and indexes', restore);
      await run(tx, 'drop schema filling cascade');
    });
    await timed('statistics', () => run(db, 'vacuum analyze'));
    return times;
  } finally {
    await close();
  }
}

/** Constraint triggers that run per row, which takes longer than a million rows. The ledger is checked as a whole later. */
const ROW_TRIGGERS = { ledger_entry: 'ledger_balances', vpn_key: 'vpn_key_limit' };

/**
 * Drops foreign keys, non-unique indexes and row triggers until all rows are inserted, because checking and sorting a
 * million rows at once is much faster.
 * @returns function that restores them; it fails when a foreign key is violated
 */
async function dropConstraints(tx: Db): Promise<() => Promise<void>> {
  const { rows } = await sql<{ take: string; give: string }>`
    select format('drop index %s', indexrelid::regclass) as take, pg_get_indexdef(indexrelid) as give
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and not indisunique and not indisexclusion
    union all
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(tx);
  const triggers = Object.entries(ROW_TRIGGERS).map(([table, trigger]) => ({
    take: `alter table ${table} disable trigger ${trigger}`,
    give: `alter table ${table} enable trigger ${trigger}`,
  }));
  const all = [...rows, ...triggers];
  for (const { take } of all) await run(tx, take);
  return async () => {
    for (const { give } of all) await run(tx, give);
  };
}

async function run(db: Db, text: string): Promise<void> {
  await sql.raw(text).execute(db);
}
