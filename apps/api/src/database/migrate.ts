import type { Client } from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';
import type { Logger } from 'pino';
import { OperatorFault, PassingFault } from '../kernel/operator-fault.ts';
import { checkVersion, connected } from './check.ts';
import {
  type Applied,
  compareMigrations,
  type Difference,
  differenceOf,
  MIGRATIONS,
  type Migration,
  readMigrations,
} from './migration-files.ts';
import { enterNode, type Node, otherNodesOf, VERSION } from './nodes.ts';

/** Advisory lock that lets only one node migrate at a time. An arbitrary constant. */
const LOCK = 7_209_001;
/**
 * Maximum time that a migration waits for a lock on a table, because later statements queue up
 * behind it.
 */
const LOCK_TIMEOUT = '5s';
/** Schema version of the job queue that the installed pg-boss requires. */
const QUEUE_VERSION = 43;
/** Roles that the files give rights to. The newest one is missing where an older version has prepared the database. */
const ROLES = ['fixpoint_app', 'fixpoint_customer', 'fixpoint_member'];
/** Name of those tables in messages. */
const QUEUE = 'the job queue';
const LOCK_NOT_AVAILABLE = '55P03';

/** A command found a database of another version. */
export class NotMigrated extends OperatorFault {
  override name = 'NotMigrated';
}

/**
 * Migrates the database to this version, as its owner: applies the missing files of
 * `apps/api/migrations` in order, each in its own transaction, then the job queue. One node at a
 * time. Unknown `expand` files of a newer version are logged only. `contract later` files wait while
 * nodes of another version run, and are logged.
 * @param options.node registered before another node may migrate
 * @returns names of the files that wait
 * @throws OperatorFault before any change: if the server is too old, for unknown `contract` files
 *   or changed files, and for another `contract` file while nodes of another version run
 */
export async function migrate(
  ownerUrl: string,
  options: { node?: Node; log?: Pick<Logger, 'warn'>; folder?: URL } = {},
): Promise<string[]> {
  const { node, log, folder = MIGRATIONS } = options;
  return alone(ownerUrl, async client => {
    const found = await compareMigrations(client, await readMigrations(folder));
    const queue = await queueVersion(client);
    refuseForeign(found, queue);
    const { expand } = found.unknown;
    if (expand.length > 0)
      log?.warn(
        { migrations: expand },
        'the database has migrations of a newer version, which are compatible with this one',
      );
    const nodes = await otherNodesOf(client, node?.version ?? VERSION);
    await refuseTooEarly(client, found, queue, nodes);
    const waiting = nodes.length > 0 ? found.missing.filter(({ later }) => later) : [];
    await applyFiles(
      client,
      found.missing.filter(file => !waiting.includes(file)),
    );
    await prepareQueue(client, queue);
    if (node) await enterNode(client, node);
    const names = namesOf(waiting);
    if (names.length > 0)
      log?.warn(
        { migrations: names, nodes },
        'some changes are refused until no node of another version runs',
      );
    return names;
  });
}

/** Runs `work` while nobody else migrates. @throws PassingFault when another session does not let go of a table */
async function alone<T>(ownerUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connected(ownerUrl, 'DATABASE_URL');
  try {
    await checkVersion(client);
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    return await work(client);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new PassingFault(
      `A migration waited ${LOCK_TIMEOUT} for a table that another session has locked, and gave up. Start again. If it fails again, end that session.`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Applies the files that older versions do not notice, up to the first one that they would: before an upgrade, while the
 * older version still runs.
 * @returns names of the applied files, and of those that wait for the start of this version
 */
export const expandDatabase = (ownerUrl: string): Promise<{ applied: string[]; waiting: string[] }> =>
  alone(ownerUrl, async client => {
    const { missing, ...found } = await compareMigrations(client, await readMigrations(MIGRATIONS));
    refuseForeign(found, await queueVersion(client));
    const stop = missing.findIndex(({ kind, later }) => kind === 'contract' && !later);
    const isDue = ({ kind }: Migration, at: number) => kind === 'expand' && (stop < 0 || at < stop);
    const due = missing.filter(isDue);
    await applyFiles(client, due);
    return { applied: namesOf(due), waiting: namesOf(missing.filter(file => !due.includes(file))) };
  });

const namesOf = (files: readonly Migration[]): string[] => files.map(({ name }) => name);

/**
 * Verifies that the database has this version. Changes nothing; for the operator's commands.
 * @throws NotMigrated
 */
export async function checkMigrated(ownerUrl: string): Promise<void> {
  const client = await connected(ownerUrl, 'DATABASE_URL');
  try {
    const found = await compareMigrations(client, await readMigrations(MIGRATIONS));
    const queue = await queueVersion(client);
    refuseForeign(found, queue);
    const missing = namesOf(found.missing.filter(({ later }) => !later));
    if (queue < QUEUE_VERSION) missing.push(QUEUE);
    if (missing.length > 0)
      throw new NotMigrated(
        `The database lacks migrations of this version of Fixpoint (${missing.join(', ')}), and commands apply none. Start the shop, which applies them. Then run the command again.`,
      );
  } finally {
    await client.end();
  }
}

/** @throws NotMigrated for a database that another version has created or changed incompatibly */
function refuseForeign({ changed, unknown }: Omit<Difference, 'missing'>, queue: number): void {
  const foreign = [...changed, ...unknown.contract, ...(queue > QUEUE_VERSION ? [QUEUE] : [])];
  if (foreign.length > 0)
    throw new NotMigrated(
      `The database was made by another version of Fixpoint (migration ${foreign.join(', ')}). Start that version, or use another database (DATA_DIR or DATABASE_URL).`,
    );
}

/**
 * @param nodes those of another version that run
 * @throws OperatorFault while something needs what a missing `contract` file removes: such a node, or an
 *   unfinished backfill. The queue's tables count as `contract`, because an
 *   older pg-boss cannot use newer ones.
 */
async function refuseTooEarly(
  client: Client,
  { missing }: Difference,
  queue: number,
  nodes: readonly string[],
): Promise<void> {
  // The queue is prepared last: without it no start has ever completed, and nobody has used this database.
  if (queue === 0) return;
  const contracts = missing.filter(({ kind, later }) => kind === 'contract' && !later);
  const names = namesOf(contracts);
  if (queue < QUEUE_VERSION) names.push(QUEUE);
  if (names.length === 0) return;
  if (nodes.length > 0)
    throw new PassingFault(
      `A migration (${names.join(', ')}) removes what another version uses, and nodes of another version run: ${nodes.join(', ')}. Stop them, then start this version again. A node that crashed counts for one minute.`,
    );
  const done = await doneBackfills(client);
  const early = contracts.find(({ after }) => after && !done.has(after));
  if (early)
    throw new OperatorFault(
      `The migration ${early.name} removes rows that the backfill ${early.after} has not moved yet. Start the version before, let its worker run until the backfill is done, then start this version again.`,
    );
}

async function doneBackfills(client: Client): Promise<Set<string>> {
  const { rows: found } = await client.query("select to_regclass('backfill') as name");
  if (!found[0].name) return new Set();
  const { rows } = await client.query('select name from backfill where done_at is not null');
  return new Set(rows.map(({ name }) => name));
}

async function applyFiles(client: Client, missing: readonly Migration[]): Promise<void> {
  if (missing.length === 0) return;
  await requireRoles(client);
  // Versions that do not have a file need its kind. Rows written before 0.2.0 are of files without
  // a declaration.
  await client.query(`create table if not exists migration (name text primary key, sha256 text not null)`);
  await client.query(
    `alter table migration add column if not exists kind text not null default 'contract' check (kind in ('expand', 'contract'))`,
  );
  for (const { name, sha256, kind, sql } of missing) {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into migration (name, sha256, kind) values ($1, $2, $3)', [
      name,
      sha256,
      kind,
    ]);
    await client.query('commit');
  }
}

/** @throws OperatorFault when a role is missing that the files give rights to, as after an upgrade */
async function requireRoles(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) name where to_regrole(name) is null`,
    [ROLES],
  );
  if (rows.length === 0) return;
  const statements = rows.map(({ name }) => `create role ${name} login password 'PASSWORD';`);
  throw new OperatorFault(
    `PostgreSQL lacks a role of this version. As a user who may create roles, run:\n${statements.join('\n')}\nThen set DATABASE_MEMBER_URL (docs/operate/reference.md), and start again.`,
  );
}

/**
 * Judges the migrations of a backup before anything is restored.
 * @returns files that this version does not know or knows otherwise, and files that it cannot apply without the version
 *   before, because a backfill is not done
 */
export async function judgeBackup(
  applied: readonly Applied[],
  queue: number,
): Promise<{ foreign: string[]; early: string[] }> {
  const { changed, unknown, missing } = differenceOf(applied, await readMigrations(MIGRATIONS));
  return {
    foreign: [...changed, ...unknown.contract, ...(queue > QUEUE_VERSION ? [QUEUE] : [])],
    early: missing.filter(({ after }) => after !== undefined).map(({ name }) => name),
  };
}

/** Schema version of the job queue; 0 if it does not exist. */
export async function queueVersion(client: Client): Promise<number> {
  const { rows: found } = await client.query("select to_regclass('pgboss.version') as name");
  const { rows } = found[0].name ? await client.query('select version from pgboss.version') : { rows: [] };
  return rows[0]?.version ?? 0;
}

/** The job queue's tables, and the application's rights on them; customers' calls have none. */
async function prepareQueue(client: Client, version: number): Promise<void> {
  if (version === QUEUE_VERSION) return;
  // Grants come first: the plan commits by itself, so a crash after it would leave tables without
  // rights.
  await client.query(`
    create schema if not exists pgboss;
    grant usage on schema pgboss to fixpoint_app;
    alter default privileges in schema pgboss grant select, insert, update, delete on tables to fixpoint_app;
    alter default privileges in schema pgboss grant usage on sequences to fixpoint_app;
    alter default privileges in schema pgboss grant execute on functions to fixpoint_app;`);
  await client.query(version === 0 ? getConstructionPlans('pgboss') : getMigrationPlans('pgboss', version));
}
