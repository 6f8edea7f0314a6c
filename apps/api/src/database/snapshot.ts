import type { Client } from 'pg';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { connected } from './check.ts';
import { queueVersion } from './migrate.ts';
import { type Applied, appliedTo } from './migration-files.ts';

/** Lets only one backup of a database be made at a time. An arbitrary constant; it ends with its connection. */
const LOCK = 7_209_003;

/** A moment of the database that other connections can read too, until it ends. */
export type Snapshot = {
  name: string;
  /** Major version of the server. */
  postgres: number;
  migrations: Applied[];
  queue: number;
  counts: Record<string, number>;
  keyFingerprint: string | null;
  end(): Promise<void>;
};

const COUNTED = `select
  (select count(*) from customer)::int as customers,
  (select count(*) from subscription)::int as subscriptions,
  (select count(*) from vpn_key)::int as keys,
  (select count(*) from invoice)::int as invoices,
  (select count(*) from ledger_entry)::int as "ledger entries",
  (select count(*) from host)::int as hosts`;

/** Counts the rows that a backup reports. */
export async function countRows(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<string, number>>(COUNTED);
  return rows[0]!;
}

/**
 * Holds a moment of the database for a backup.
 * @param url of the owner of the tables
 * @throws OperatorFault while another backup of it is made
 */
export async function takeSnapshot(url: string): Promise<Snapshot> {
  const client = await connected(url, 'DATABASE_URL');
  try {
    const { rows: locks } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (!locks[0].taken)
      throw new OperatorFault('Another backup of this database is being made. Wait for it.');
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read, read only');
    const { rows: names } = await client.query<{ name: string; server: string }>(
      `select pg_export_snapshot() as name, current_setting('server_version') as server`,
    );
    const { rows: keys } = await client.query<{ fingerprint: Buffer }>('select fingerprint from master_key');
    return {
      name: names[0]!.name,
      postgres: Number.parseInt(names[0]!.server, 10),
      migrations: await appliedTo(client),
      queue: await queueVersion(client),
      counts: await countRows(client),
      keyFingerprint: keys[0]?.fingerprint.toString('base64') ?? null,
      end: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}
