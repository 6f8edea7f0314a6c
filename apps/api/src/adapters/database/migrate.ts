import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';

const FOLDER = new URL('../../../migrations/', import.meta.url);
/** Advisory lock that lets only one node migrate at a time. Any constant; it names this purpose. */
const LOCK = 7_209_001;

/**
 * Applies the SQL files of `apps/api/migrations` that this database has not seen, in order, each in a transaction of
 * its own, under a lock that all nodes share. Refuses to go on when an applied file was changed afterwards.
 */
export async function migrate(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query('create table if not exists migration (name text primary key, sha256 text not null)');
    const applied = new Map<string, string>(
      (await client.query('select name, sha256 from migration')).rows.map(row => [row.name, row.sha256]),
    );
    const names = (await readdir(FOLDER)).filter(name => name.endsWith('.sql')).sort();
    for (const name of names) {
      const sql = await readFile(new URL(name, FOLDER), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before) throw new Error(`Migration ${name} was changed after it had been applied`);
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256]);
      await client.query('commit');
    }
  } finally {
    await client.end();
  }
}
