import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { MIGRATIONS } from '@fixpoint/api/database/migration-files.ts';
import { roles } from '@fixpoint/postgres/roles.ts';
import type { Client } from 'pg';

/**
 * Makes a database what it was before some migrations: drops what is in it, and applies the others.
 * @param client connected as the superuser
 * @param hadFile whether that version had the migration of this name
 */
export async function migrateAsBefore(
  client: Client,
  ownerUrl: string,
  hadFile: (name: string) => boolean,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-before-'));
  try {
    const filter = (path: string) => !path.endsWith('.sql') || hadFile(basename(path));
    await cp(MIGRATIONS, folder, { recursive: true, filter });
    await client.query('drop schema public, pgboss cascade');
    await client.query(`create schema public authorization ${roles.owner}`);
    await migrate(ownerUrl, { folder: pathToFileURL(`${folder}/`) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
