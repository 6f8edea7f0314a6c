/*
 * `npm run gen -- release` writes `testkit/releases/<version>.sql.gz`, a filled database of the current version, on which
 * later migrations are tested. It never overwrites a file: a shop may run that version.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { VERSION } from '@fixpoint/api/database/nodes.ts';
import { withDatabase } from '@fixpoint/postgres/address.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { dumpRelease, RELEASES } from '@fixpoint/testkit/release.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';

const CUSTOMERS = 2_000;
/** Covers every state, and the file stays below a megabyte. */
const SIZE = { ...sizeOf(CUSTOMERS), sales: CUSTOMERS, hosts: 30 };

const file = new URL(`${VERSION}.sql.gz`, RELEASES);
if (existsSync(file)) {
  console.error(`testkit/releases/${VERSION}.sql.gz exists. Remove it only before that version is tagged.`);
  process.exit(1);
}
const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-release-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.urls.owner);
  await fillShop(postgres.urls.owner, SIZE, new Date('2026-11-28T00:00:00Z'), {
    compact: true,
  });
  const sql = await dumpRelease(
    withDatabase(postgres.adminUrl, new URL(postgres.urls.owner).pathname.slice(1)),
  );
  await writeFile(file, gzipSync(sql, { level: 9 }));
  console.log(`testkit/releases/${VERSION}.sql.gz`);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
