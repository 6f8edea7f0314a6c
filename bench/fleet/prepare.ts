import { join } from 'node:path';
import { openMasterKey } from '@fixpoint/api/adapters/master-key/ring.ts';
import { liveBus } from '@fixpoint/api/adapters/postgres-bus.ts';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { createVaultSigner } from '@fixpoint/api/adapters/vault-signer.ts';
import type { Vault } from '@fixpoint/api/crypto/vault.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { migrate } from '@fixpoint/api/database/migrate.ts';
import { replaceHost } from '@fixpoint/api/modules/provisioning/index.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { contextOf } from '@fixpoint/api/ports/signer.ts';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { fillShop } from '@fixpoint/testkit/size/fill.ts';
import { PLACES } from '@fixpoint/testkit/size/size.ts';
import { sql } from 'kysely';

/** Of a filled shop: share of sales whose subscription runs, and sales per customer. */
const RUNNING = 0.7;
const SALES_A_CUSTOMER = 1.2;
const BATCH = 5000;

/** A host that will join: its token, and the number of subscriptions that it runs. */
export type Joining = { hostId: string; token: string; subscriptions: number };

const upTo = (step: number, n: number): number => Math.ceil(n / step) * step;

/**
 * Fills the shop of a data folder so that about `subscriptions` run on `hosts`, as evenly as the filler spreads them.
 * Starts no process of the stack.
 * @returns the hosts that will join
 */
export async function prepare(dataDir: string, hosts: number, subscriptions: number): Promise<Joining[]> {
  const postgres = await startPostgres({ dataDir, durable: false });
  try {
    await migrate(postgres.urls.owner);
    // The filler makes the same number of hosts in each location; hosts that do not join have their share of subscriptions.
    const all = upTo(PLACES, hosts);
    const sales = ((subscriptions / RUNNING) * all) / hosts;
    const customers = upTo(100, sales / SALES_A_CUSTOMER);
    const addresses = Math.min(510, 20 + Math.ceil((2 * subscriptions) / hosts));
    const size = {
      customers,
      sales: Math.round(customers * SALES_A_CUSTOMER),
      hosts: all,
      addresses,
    };
    await fillShop(postgres.urls.owner, size, new Date());
    const { db, close } = openDatabase(postgres.urls.owner, 1);
    try {
      const { vault } = await openMasterKey(db, join(dataDir, 'master.key'));
      await sealAll(db, vault);
      return await letJoin(db, vault, hosts);
    } finally {
      await close();
    }
  } finally {
    await postgres.stop();
  }
}

/** Hosts decrypt what they receive: gives the filler's rows real secrets of one identity, each sealed for its own row. */
async function sealAll(db: Db, vault: Vault): Promise<void> {
  const model = { subscriptionId: 'model', serverName: 'model', now: systemClock.now() };
  const made = await createVaultSigner(vault).newSubscription(model);
  const serverKey = vault.open(made.serverKeySealed, contextOf.server('model'));
  const tlsCrypt = vault.open(made.tlsCryptSealed, contextOf.tlsCrypt('model'));
  await sql`update subscription_identity set ca = ${made.ca}`.execute(db);
  const { rows } = await sql<{ id: string }>`select subscription_id as id from assignment`.execute(db);
  for (let from = 0; from < rows.length; from += BATCH) {
    const sealed = rows.slice(from, from + BATCH).map(({ id }) => ({
      id,
      server: vault.seal(serverKey, contextOf.server(id)).toString('hex'),
      tls: vault.seal(tlsCrypt, contextOf.tlsCrypt(id)).toString('hex'),
    }));
    const given = sql`jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) as sealed (id text, server text, tls text)`;
    await sql`update assignment set server_certificate = ${made.serverCertificate},
        server_key_sealed = decode(sealed.server, 'hex')
      from ${given} where subscription_id = sealed.id`.execute(db);
    await sql`update subscription_identity set tls_crypt_sealed = decode(sealed.tls, 'hex')
      from ${given} where subscription_id = sealed.id`.execute(db);
  }
  await sql`vacuum analyze assignment, subscription_identity`.execute(db);
}

async function letJoin(db: Db, vault: Vault, hosts: number): Promise<Joining[]> {
  const deps = { db, signer: createVaultSigner(vault), clock: systemClock, live: liveBus };
  const { rows } = await sql<Omit<Joining, 'token'>>`
    select host_id as "hostId", count(*)::int as subscriptions from assignment where status = 'up'
    group by 1 order by 1 limit ${hosts}`.execute(db);
  const joining: Joining[] = [];
  for (const host of rows)
    joining.push({ ...host, token: await replaceHost(deps, host.hostId, { earlierIsOff: true }) });
  return joining;
}
