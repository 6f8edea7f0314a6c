import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { prepareDatabase } from '@fixpoint/testkit/database.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';

/** Runs `work` on a new shop in this process, with a PostgreSQL of its own; both are gone afterwards. */
export async function withTestShop<T>(work: (shop: TestShop) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-bench-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  try {
    await prepareDatabase(postgres.urls);
    const database = { url: postgres.adminUrl, urls: postgres.urls };
    const shop = await startTestShop({ LOG_LEVEL: 'error' }, undefined, database);
    try {
      return await work(shop);
    } finally {
      await shop.stop();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
