import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { sizeOf } from '@fixpoint/testkit/size/size.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- fill [customers] [folder]` fills the database of a data folder, or a temporary one, and prints how long
 * it took. Goal: 100,000 customers within two minutes.
 */
const { positionals } = readArguments('fill [customers] [folder]', 2, {});
const customers = Number(positionals[0] ?? 100_000);
const folder = positionals[1];
const GOAL_S = 120;

const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'fixpoint-bench-')));
const postgres = await startPostgres({ dataDir, durable: folder !== undefined });
try {
  await migrate(postgres.urls.owner);
  const begun = performance.now();
  const times = await fillShop(postgres.urls.owner, sizeOf(customers), new Date());
  const seconds = (performance.now() - begun) / 1000;
  for (const [table, ms] of times) console.log(`${ms.toFixed(0).padStart(7)} ms  ${table}`);
  console.log(`${seconds.toFixed(1)} s in all, for ${customers.toLocaleString('en')} customers`);
  if (seconds > GOAL_S) process.exitCode = 1;
} finally {
  await postgres.stop();
  if (!folder) await rm(dataDir, { recursive: true, force: true });
}
