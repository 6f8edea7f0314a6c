import { openDatabase } from '@fixpoint/api/adapters/database/database.ts';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { beginSession } from '@fixpoint/api/modules/account/sessions.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import { sql } from 'kysely';

/** A customer who is logged in, with room for one more key. */
type Customer = { client: TestClient; subscriptionId: string; host: FakeHost };

/** How long it took from the click to the host, in ms. */
export type Seen = { added: number[]; deleted: number[] };

const LOOK_MS = 2;
const PATIENCE_MS = 30_000;

/** Customers of these hosts, spread over all of them. */
export async function logInCustomers(
  shop: { url: string; databaseUrl: string },
  hosts: readonly FakeHost[],
  count: number,
): Promise<Customer[]> {
  const byId = new Map(hosts.map(host => [host.identity.hostId, host]));
  const { db, close } = openDatabase(shop.databaseUrl, 1);
  try {
    const { rows } = await sql<{ id: string; customerId: string; hostId: string }>`
      select sub.id, sub.customer_id as "customerId", host_id as "hostId" from assignment
        join subscription sub on sub.id = assignment.subscription_id join customer on customer.id = sub.customer_id
      where host_id = any(${[...byId.keys()]}) and sub.status = 'active' and customer.status = 'active'
        and devices > (select count(*) from vpn_key where subscription_id = sub.id and deleted_at is null)
      order by md5(sub.id) limit ${count}`.execute(db);
    const customers: Customer[] = [];
    for (const { id, customerId, hostId } of rows) {
      const device = { browser: 'Firefox', system: 'Android' };
      const { accessToken } = await beginSession(db, systemClock, customerId, device);
      customers.push({
        client: createClient(shop.url, accessToken),
        subscriptionId: id,
        host: byId.get(hostId)!,
      });
    }
    return customers;
  } finally {
    await close();
  }
}

/** Each adds a key and deletes it as soon as his host knows it; so many begin in a second. */
export async function changeKeys(customers: readonly Customer[], aSecond: number): Promise<Seen> {
  const seen: Seen = { added: [], deleted: [] };
  const begun = performance.now();
  await Promise.all(
    customers.map(async (customer, index) => {
      await sleepUntil(begun + (index * 1000) / aSecond);
      await addAndDelete(customer, seen);
    }),
  );
  return seen;
}

async function addAndDelete({ client, subscriptionId, host }: Customer, seen: Seen): Promise<void> {
  const keys = () => host.set()!.subscriptions.find(({ id }) => id === subscriptionId)!.keys;
  const before = keys().length;
  const added = performance.now();
  const [answer] = await Promise.all([
    client.subscription.addKey({ body: { subscriptionId, name: 'bench' } }),
    until(() => keys().length === before + 1).then(() => seen.added.push(performance.now() - added)),
  ]);
  const keyId = answer.data!.id;
  const deleted = performance.now();
  await Promise.all([
    client.subscription.deleteKey({ body: { subscriptionId, keyId } }),
    until(() => keys().every(({ id }) => id !== keyId)).then(() =>
      seen.deleted.push(performance.now() - deleted),
    ),
  ]);
}

const sleepUntil = (at: number) => new Promise(done => setTimeout(done, Math.max(0, at - performance.now())));

/** Looks closely: what is waited for takes some milliseconds. */
async function until(is: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !is(); await sleepUntil(performance.now() + LOOK_MS))
    if (performance.now() > end) throw new Error('the host has not heard of it');
}
