import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';
import { OperatorFault } from '../../operator-fault.ts';
import { checkVersion, connected } from './check.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
/** Advisory lock that lets only one node migrate at a time. Any constant; it names this purpose. */
const LOCK = 7_209_001;
/** How long a change waits for a table that somebody holds: everybody who comes later waits behind it (FM11). */
const PATIENCE = '5s';
/** The tables of the job queue that the installed pg-boss wants. */
const QUEUE_VERSION = 43;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Brings the database to what this version of the shop needs, as its owner: the SQL files of `apps/api/migrations` that
 * it has not seen, in order, each in a transaction of its own; then the job queue. One node at a time.
 * @throws OperatorFault for a server that is too old, and for a database that this version does not know
 */
export async function migrate(ownerUrl: string): Promise<void> {
  const client = await connected(ownerUrl, 'DATABASE_URL');
  try {
    await checkVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(`set lock_timeout = '${PATIENCE}'`);
    await applyFiles(client);
    await prepareQueue(client);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new OperatorFault(
      `A migration waited ${PATIENCE} for a table that another session holds, and gave up. Start again; end that session if it stays.`,
    );
  } finally {
    await client.end();
  }
}

async function applyFiles(client: Client): Promise<void> {
  await client.query('create table if not exists migration (name text primary key, sha256 text not null)');
  const applied = new Map<string, string>(
    (await client.query('select name, sha256 from migration')).rows.map(row => [row.name, row.sha256]),
  );
  const names = (await readdir(FOLDER)).filter(name => name.endsWith('.sql')).sort();
  const files = await Promise.all(
    names.map(async name => ({ name, sql: await readFile(new URL(name, FOLDER), 'utf8') })),
  );
  const hashes = new Map(
    files.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]),
  );
  for (const [name, sha256] of applied) {
    if (hashes.get(name) !== sha256)
      throw new OperatorFault(
        `The database was made by another version of Fixpoint (migration ${name}): start that version, or use another database (DATA_DIR or DATABASE_URL).`,
      );
  }
  for (const { name, sql } of files.filter(file => !applied.has(file.name))) {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into migration (name, sha256) values ($1, $2)', [name, hashes.get(name)]);
    await client.query('commit');
  }
}

/** The job queue's own tables, and what the application does with them; a customer's call never reaches them. */
async function prepareQueue(client: Client): Promise<void> {
  const { rows: found } = await client.query("select to_regclass('pgboss.version') as name");
  const { rows } = found[0].name ? await client.query('select version from pgboss.version') : { rows: [] };
  const version: number = rows[0]?.version ?? 0;
  if (version === QUEUE_VERSION) return;
  // Beforehand, for all that is made: a plan commits by itself, and who is killed after it would grant nothing any more.
  await client.query(`
    create schema if not exists pgboss;
    grant usage on schema pgboss to fixpoint_app;
    alter default privileges in schema pgboss grant select, insert, update, delete on tables to fixpoint_app;
    alter default privileges in schema pgboss grant usage on sequences to fixpoint_app;
    alter default privileges in schema pgboss grant execute on functions to fixpoint_app;`);
  await client.query(version === 0 ? getConstructionPlans('pgboss') : getMigrationPlans('pgboss', version));
}
