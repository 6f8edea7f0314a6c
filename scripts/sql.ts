import { givenEnv, readSettings } from '@fixpoint/dev-stack/env.ts';
import { operatorMessage } from '@fixpoint/dev-stack/operator-message.ts';
import { superuser } from '@fixpoint/postgres/address.ts';
import pg from 'pg';
import { embeddedUrl } from './running-shop.ts';

/** `npm run sql -- "SELECT …"` runs a read-only statement on the database of the running shop, past row-level security. */
const [statement, ...more] = process.argv.slice(2);
if (!statement || more.length > 0) {
  console.error('Usage: npm run sql -- "SELECT …"   (quote the statement)');
  process.exit(64);
}
try {
  const { databaseUrls, dataDir } = readSettings(givenEnv());
  const connectionString = databaseUrls?.owner ?? `${await embeddedUrl(dataDir)}&user=${superuser}`;
  const client = new pg.Client({ connectionString, options: '-c default_transaction_read_only=on' });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    console.table(rows);
  } finally {
    await client.end();
  }
} catch (error) {
  console.error(operatorMessage(error) ?? (error as Error).message);
  process.exitCode = 1;
}
