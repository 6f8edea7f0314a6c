import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { openDatabase } from '@fixpoint/api/database/database.ts';
import { beginSession } from '@fixpoint/api/modules/account/sessions.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { sql } from 'kysely';
import type { Hosts } from './hosts.ts';

/** A customer who is logged in, with room for one more key. */
type Customer = { client: TestClient; subscriptionId: string; keys: number };

/** Time from the call until the host has the change, in ms. */
export type Seen = { added: number[]; deleted: number[] };

/** Logs in customers of these hosts, spread over all of them. */
export async function logInCustomers(
  shop: { url: string; databaseUrl: string },
  hostIds: readonly string[],
  count: number,
): Promise<Customer[]> {
  const { db, close } = openDatabase(shop.databaseUrl, 1);
  try {
    const { rows } = await sql<{ id: string; customerId: string; keys: number }>`
      select sub.id, sub.customer_id as "customerId", keys.count as keys from assignment
        join subscription sub on sub.id = assignment.subscription_id join customer on customer.id = sub.customer_id
        cross join lateral (
          select count(*)::int from vpn_key where subscription_id = sub.id and deleted_at is null) keys
      where host_id = any(${hostIds}) and sub.status = 'active' and customer.status = 'active' and devices > keys.count
      order by md5(sub.id) limit ${count}`.execute(db);
    const customers: Customer[] = [];
    for (const { id, customerId, keys } of rows) {
      const device = { browser: 'Firefox', system: 'Android' };
      const { accessToken } = await beginSession(db, systemClock, customerId, device);
      customers.push({ client: createClient(shop.url, accessToken), subscriptionId: id, keys });
    }
    return customers;
  } finally {
    await close();
  }
}

/** Each customer adds a key and deletes it as soon as their host has it; `aSecond` of them begin per second. */
export async function changeKeys(
  hosts: Hosts,
  customers: readonly Customer[],
  aSecond: number,
): Promise<Seen> {
  const seen: Seen = { added: [], deleted: [] };
  const begun = performance.now();
  await Promise.all(
    customers.map(async (customer, index) => {
      await sleep(Math.max(0, begun + (index * 1000) / aSecond - performance.now()));
      await addAndDelete(hosts, customer, seen);
    }),
  );
  return seen;
}

async function addAndDelete(hosts: Hosts, customer: Customer, seen: Seen): Promise<void> {
  const { client, subscriptionId, keys } = customer;
  /** Measures from the call until the host has `count` keys. @returns the answer of the call */
  const timed = async <T>(call: () => Promise<T>, count: number, times: number[]): Promise<T> => {
    const begun = performance.now();
    const [answer] = await Promise.all([
      call(),
      hosts.keysOf(subscriptionId, count).then(() => times.push(performance.now() - begun)),
    ]);
    return answer;
  };
  const add = () => client.subscription.addKey({ body: { subscriptionId, name: 'bench' } });
  const { data } = await timed(add, keys + 1, seen.added);
  const remove = () => client.subscription.deleteKey({ body: { subscriptionId, keyId: data!.id } });
  await timed(remove, keys, seen.deleted);
}

/**
 * Records a pending change for each host while the API is down; each host receives it at its next poll.
 * @param databaseUrl of the owner
 */
export async function changeAll(databaseUrl: string, hostIds: readonly string[]): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, 1);
  try {
    await sql`insert into pending_change (host_id) select unnest(${hostIds}::text[])`.execute(db);
  } finally {
    await close();
  }
}
