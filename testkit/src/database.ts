import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startJobs } from '@fixpoint/api/adapters/jobs/runner.ts';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { createLogger } from '@fixpoint/api/log/logger.ts';
import { withDatabase } from '@fixpoint/postgres/address.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { type DatabaseUrls, roles, urlsFor } from '@fixpoint/postgres/roles.ts';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

const template = 'template_migrated';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's. */
    postgresUrl: string;
  }
}

const MEMORY = '/dev/shm';
/** Many times what the databases of a run hold at once. */
const ROOM = 8 * 1024 ** 3;

/** Where files are written that nobody keeps: in memory, where there is plenty. */
async function throwaway(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, process.availableMemory()) > ROOM ? MEMORY : tmpdir();
}

/**
 * Vitest's global set-up of the server tests: one throwaway PostgreSQL for the whole run, with one migrated
 * database that every test file's own is copied from. The data is not made durable: it does not outlive the run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await throwaway(), 'fixpoint-test-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await execute(postgres.adminUrl, `CREATE DATABASE ${template} OWNER ${roles.owner}`);
    await migrate(withDatabase(postgres.urls.owner, template));
    // Sixty queues are made once, not in each test file.
    await (await startJobs(withDatabase(postgres.urls.app, template), createLogger('silent'))).stop();
    project.provide('postgresUrl', postgres.adminUrl);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database of a test's own. `drop` cuts whoever is still connected. */
export interface TestDatabase {
  /** For the shop: as each of its roles. */
  urls: DatabaseUrls;
  /** For the test, which looks at everything: as the superuser. */
  url: string;
  drop(): Promise<void>;
}

/** A fresh migrated database, copied from the template in some 50 ms; for files of the project `server`. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // The file copy strategy is several times faster than the default for a small template.
  await execute(
    server,
    `CREATE DATABASE ${name} OWNER ${roles.owner} TEMPLATE ${template} STRATEGY file_copy`,
  );
  const url = withDatabase(server, name);
  return {
    url,
    urls: urlsFor(url),
    drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
