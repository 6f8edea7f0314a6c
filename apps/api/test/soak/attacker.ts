import { readLedgers } from '@fixpoint/testkit/load-test/ledgers.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { valueHeldBy } from '../checkout/chain-rounds.ts';

/** The newest payment of a method at its gateway. */
export async function newestRef(shop: TestShop, method: 'bitcoin' | 'promptpay' | 'paypal'): Promise<string> {
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('method', '=', method)
    .orderBy('created_at', 'desc')
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return provider_ref!;
}

/** What the gateways have kept of a customer, less refunds on their way, plus goodwill. In hundredths. */
export async function paidBy(shop: TestShop, customerId: string): Promise<number> {
  const { kept } = await readLedgers(shop.sandbox.control);
  const of = (table: 'attempt' | 'goodwill') =>
    shop.db.selectFrom(table).selectAll().where('customer_id', '=', customerId).execute();
  const pending = await shop.db
    .selectFrom('refund')
    .select('amount')
    .where('customer_id', '=', customerId)
    .where('status', 'not in', ['succeeded', 'failed'])
    .execute();
  const [attempts, given] = [await of('attempt'), await of('goodwill')];
  const received = attempts.reduce((sum, { id }) => sum + (kept.get(id) ?? 0), 0);
  const sumOf = (rows: readonly { amount: unknown }[]) =>
    rows.reduce((sum, { amount }) => sum + Number(amount), 0);
  return received - sumOf(pending) + sumOf(given as { amount: unknown }[]);
}

/** What a customer has for nothing; a minor unit of each step may be rounded in their favour. */
export const gainOf = async (shop: TestShop, customerId: string): Promise<number> =>
  (await valueHeldBy(shop.db, customerId)) - (await paidBy(shop, customerId));

/** Lets jobs wait during `acts`, as with workers that sleep, and runs them all afterwards. */
export async function whileWorkersSleep(shop: TestShop, acts: () => Promise<void>): Promise<void> {
  await sql`create function asleep() returns trigger language plpgsql as
    $$ begin new.start_after = now() + interval '1 day'; return new; end $$`.execute(shop.db);
  await sql`create trigger asleep before insert on pgboss.job for each row execute function asleep()`.execute(
    shop.db,
  );
  try {
    await acts();
  } finally {
    await sql`drop function asleep() cascade`.execute(shop.db);
    await sql`update pgboss.job set start_after = now() where state = 'created'`.execute(shop.db);
    shop.clock.advance(2 * 60_000);
    await shop.sweep();
  }
}
