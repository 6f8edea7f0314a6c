import { readdirSync } from 'node:fs';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { loadRelease, RELEASES } from '@fixpoint/testkit/release.ts';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { otherNodes } from '../../src/database/nodes.ts';
import { asApplication } from '../../src/database/scope.ts';
import { runBackfills } from '../../src/jobs/backfill.ts';
import { users } from '../../src/modules/account/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';

const releases = readdirSync(RELEASES).map(file => file.replace('.sql.gz', ''));
const databases: TestDatabase[] = [];
const database = async () => {
  databases.push(await createDatabase());
  return databases.at(-1)!;
};
afterEach(async () => {
  for (const each of databases.splice(0)) await each.drop();
});

/** Columns, constraints and rights, which must not depend on the version that a migration started from. */
const SHAPE = `select string_agg(line, E'\\n' order by line) as shape from (
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select concat_ws(' ', tablename, policyname, cmd, qual, with_check) from pg_policies
  union all select concat_ws(' ', table_name, grantee, privilege_type) from information_schema.table_privileges
    where table_schema = 'public') as each`;

/** Customers without the user who founded them, and rows of a login without a user. */
const WITHOUT_USER = `select (
  (select count(*) from customer c where not exists (
    select from app_user u join membership m on m.user_id = u.id where m.customer_id = c.id and m.role = 'owner' and u.id = c.id
    and (u.email, u.language, u.status, u.created_at) = (c.email, c.language, c.status, c.created_at)
    and u.password_hash is not distinct from c.password_hash))
  + ${['session', 'link_token', 'challenge', 'totp', 'recovery_code', 'passkey', 'ceremony']
    .map(table => `(select count(*) from ${table} where user_id is distinct from customer_id)`)
    .join(' + ')}
  + (select count(*) from session where role is distinct from 'owner'))::int as wrong`;

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test.each(releases)(
  'a shop of %s with 2,000 customers migrates to this version and loses nothing',
  async version => {
    const [old, fresh] = [await database(), await database()];
    await loadRelease(version, { superuser: old.url, owner: old.urls.owner });
    const money = 'select account, currency, sum(amount)::text from ledger_entry group by 1, 2 order by 1, 2';
    const before = await ask(old.url, money);
    // A node of that version serves meanwhile, and stops.
    await ask(old.url, `insert into node values ('old-1', 'api', '${version}', now())`);
    expect(await migrate(old.urls.owner)).toEqual(['0054_users_apart.sql']);
    await ask(old.url, 'delete from node');
    expect(await migrate(old.urls.owner)).toEqual([]);
    expect(await ask(old.url, money)).toEqual(before);
    expect(await ask(old.url, 'select count(*)::int as customers from customer')).toEqual([
      { customers: 2000 },
    ]);
    expect(await ask(old.url, SHAPE)).toEqual(await ask(fresh.url, SHAPE));
    const { db, close } = openDatabase(old.urls.app, 1);
    // The second run of a backfill finds nothing to move.
    for (const moved of [2000, 0]) {
      await ask(old.urls.owner, 'delete from backfill');
      const progress = () =>
        ask<{ moved: number; done: boolean }>(
          old.url,
          'select moved::int, done_at is not null as done from backfill',
        );
      // A run ends after a while; the next one continues.
      do await asApplication(() => runBackfills({ db, otherNodes, backfills: [users] }));
      while (!(await progress())[0]!.done);
      expect(await progress()).toEqual([{ moved, done: true }]);
      expect(await ask(old.url, WITHOUT_USER)).toEqual([{ wrong: 0 }]);
    }
    expect(await checkDatabase(db, new Date('2026-11-28T00:00:00Z'))).toEqual([]);
    await close();
  },
);
