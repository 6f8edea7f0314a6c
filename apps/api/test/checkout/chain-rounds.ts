import { periodEnd } from '@fixpoint/domain/kernel/bangkok.ts';
import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { createPrng } from '@fixpoint/testkit/load-test/prng.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { orderAgain, savedCard, subscriber } from '../subscription/renewing.ts';
import { orderElsewhere } from './replacing.ts';

const DAY_MS = 24 * 60 * 60_000;

type Customer = Awaited<ReturnType<typeof subscriber>>;
type Call = (client: TestClient, id: string) => Promise<{ code: string } | false | undefined>;

/** Takes a call back whose offer went away between two of its steps. @returns codes that nobody may get */
const faultOf = (call: Call, client: TestClient, id: string): Promise<string[]> =>
  call(client, id).then(
    answer => (answer && /^99/.test(answer.code) && answer.code !== '9905' ? [answer.code] : []),
    error => {
      if (error instanceof TypeError) return [];
      throw error;
    },
  );

/** Withdraws for what the page shows, as somebody does who lives in a country that refunds all but used days. */
const withdraw: Call = async (client, id) => {
  const of = { id, country: 'DE' };
  const { code, data } = await client.subscription.withdrawal({ query: of });
  return code === '0000' && client.subscription.withdraw({ body: { ...of, back: data! } });
};
const withCard = async (client: TestClient) => ({ cardId: (await savedCard(client)).id });
const calls: readonly Call[] = [
  withdraw,
  async (client, id) => {
    if ((await client.order.getReplacement({ query: { id } })).code !== '0000') return undefined;
    const order = await orderElsewhere(client, { subscriptionId: id }, { cycleCount: 3 });
    return client.order.purchaseLogin({ body: { ...order, ...(await withCard(client)) } });
  },
  async (client, id) => {
    if ((await client.order.getData({ query: { id } })).code !== '0000') return undefined;
    const order = await orderAgain(client, id);
    return client.order.purchaseReactivate({ body: { ...order, ...(await withCard(client)) } });
  },
  async client => {
    const { consent } = await beginOrder(client);
    return client.order.purchaseLogin({ body: { ...consent, ...(await withCard(client)) } });
  },
  (client, id) => client.subscription.cancelSubscription({ body: { id } }),
  (client, id) => client.subscription.cancelSubscription({ body: { id, undo: true } }),
];

/**
 * Lets one customer make random calls at once, several times with pauses, and looks at what they hold after each round.
 * @returns what they got for nothing, and the addresses they hold against the rule
 */
export async function chainRounds(shop: TestShop, seed: number, rounds: number): Promise<string[]> {
  const { pick } = createPrng(`chain ${seed}`);
  const customer = await subscriber(shop, `chain-${seed}`);
  const faults: string[] = [];
  let steps = 1;
  for (let round = 0; round < rounds && faults.length === 0; round += 1) {
    const client = await customer.now();
    const { items } = (await client.subscription.mySubscription({ body: {} })).data!;
    const once = pick(calls);
    const ids = [pick(items).id, pick(items).id];
    // The same call twice on one subscription, and others beside it.
    const [first, second] = [pick(calls), pick(calls)];
    const [one, other] = [ids[0]!, ids[1]!];
    const made = [faultOf(once, client, one), faultOf(once, client, one)];
    made.push(faultOf(first, client, one), faultOf(second, client, other));
    faults.push(...(await Promise.all(made)).flat());
    steps += 4;
    await shop.sweep();
    faults.push(...(await gained(shop, customer, steps)), ...(await heldWrongly(shop, customer)));
    shop.clock.advance(pick([4000, 0.96 * DAY_MS, 2 * DAY_MS, 9 * DAY_MS]));
    await shop.sweep();
  }
  return faults;
}

/** Money paid less refunds plus goodwill covers what was served and is left, but for a minor unit of each step. */
function gained(shop: TestShop, customer: Customer, steps: number): Promise<string[]> {
  // One snapshot: a host may begin to serve between two statements.
  const snapshot = shop.db.transaction().setIsolationLevel('repeatable read');
  return snapshot.execute(db => gainedIn({ ...shop, db }, customer, steps));
}

async function gainedIn(
  { db, clock }: Pick<TestShop, 'db' | 'clock'>,
  customer: Customer,
  steps: number,
): Promise<string[]> {
  const { customer_id: id } = await customer.row();
  const { rows } = await sql<{ paid: number }>`select
    (select coalesce(sum(amount), 0) from attempt where customer_id = ${id} and status = 'succeeded')
      - (select coalesce(sum(amount), 0) from refund where customer_id = ${id})
      + (select coalesce(sum(amount), 0) from goodwill where customer_id = ${id}) as paid`.execute(db);
  const gain = (await valueHeldBy(db, id)) - Number(rows[0]!.paid) - steps;
  return gain > 0 ? [`${gain} for nothing at ${clock.now().toISOString()}`] : [];
}

/** What a customer was served, has left, waits for and holds as credit, in hundredths. */
export async function valueHeldBy(db: TestShop['db'], id: string): Promise<number> {
  const { rows } = await sql<{ credit: number; waiting: number }>`select
    (select coalesce(-sum(amount), 0) from ledger_entry
      where customer_id = ${id} and account in ('credit', 'reserved')) as credit,
    (select coalesce(sum(total), 0) from invoice where customer_id = ${id} and status = 'paid'
      and not exists (select from subscription_period where invoice_id = invoice.id)
      and exists (select from subscription where id = invoice.subscription_id and status = 'provisioning')) as waiting
  `.execute(db);
  const periods = await db
    .selectFrom('subscription_period as period')
    .innerJoin('subscription', 'subscription.id', 'period.subscription_id')
    .innerJoin('invoice', 'invoice.id', 'period.invoice_id')
    .select(['period.starts_at', 'period.ends_at', 'period.worth', 'cycle_count'])
    .select(['period.upgraded_at', 'invoice.total'])
    // Until its replacement runs a subscription is served as a favour of the shop.
    .select(({ selectFrom }) =>
      selectFrom('subscription_history as history')
        .select(({ fn }) => fn.min('at').as('at'))
        .whereRef('history.subscription_id', '=', 'subscription.id')
        .where('command', '=', 'replace')
        .whereRef('at', '>=', 'period.starts_at')
        .whereRef('at', '<=', 'period.ends_at')
        .as('replacedAt'),
    )
    .where('period.customer_id', '=', id)
    .execute();
  const worth = periods.map(
    ({ starts_at, ends_at, worth: all, total, cycle_count, replacedAt, upgraded_at }) => {
      const length = periodEnd(starts_at, cycle_count).getTime() - starts_at.getTime();
      const end = Math.min(ends_at.getTime(), replacedAt?.getTime() ?? Number.POSITIVE_INFINITY);
      const part = (from: number, to: number) => Math.min(1, Math.max(0, to - from) / length);
      // Until an upgrade the days are worth what was paid for them.
      const upgraded = Math.min(end, upgraded_at?.getTime() ?? starts_at.getTime());
      return total * part(starts_at.getTime(), upgraded) + all * part(upgraded, end);
    },
  );
  const { credit, waiting } = rows[0]!;
  return worth.reduce((sum, one) => sum + one, Number(credit) + Number(waiting));
}

/** Reserved addresses of subscriptions that ran no whole month: two at most, each after a day of service. */
async function heldWrongly({ db }: TestShop, customer: Customer): Promise<string[]> {
  const { customer_id: id } = await customer.row();
  const { rows } = await sql<{ short: number; brief: number }>`
    select count(*) filter (where served < interval '28 days')::int as short,
      count(*) filter (where served < interval '1 day')::int as brief
    from static_ip join subscription on subscription.id = static_ip.subscription_id
    cross join lateral (select period_end - anchor_at as served) service
    where static_ip.customer_id = ${id} and static_ip.reserved_until is not null`.execute(db);
  const { short, brief } = rows[0]!;
  return short > 2 || brief > 0 ? [`${short} addresses held, ${brief} of them after less than a day`] : [];
}
