import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';

/** One new card, from `getMetaData` to the tunnel and all jobs. The goal is 100 (docs/decisions/0051). */
const MOST = 98;

type Statement = { text: string; stack: string; user: string };

/** How the tests' queue fetches and finishes a job; pg-boss needs a statement for each too. */
const TAKEN = /^with due as/;
const COMPLETED = /^update pgboss\.job set state = 'completed'/;
const isPurchase = ({ text, stack, user }: Statement): boolean =>
  user === 'fixpoint_app' &&
  !TAKEN.test(text) &&
  // Scheduled tasks follow the clock, and texts are read at most once a second.
  !/\/tasks\/(generate-documents|take-job-requests)\.ts|takeRequests|\/scheduled-tasks\.ts|\/text\/overrides\.ts/.test(
    stack,
  ) &&
  // The host polls and reports by its own clock; what its report changes in the subscription counts.
  (!/\/(host-calls|agent-routes)\.ts/.test(stack) || /modules\/subscription\//.test(stack));

/** Records every statement that this process sends while `work` runs. */
async function statementsOf(work: () => Promise<void>): Promise<Statement[]> {
  const { query } = pg.Client.prototype;
  const { stackTraceLimit } = Error;
  const seen: Statement[] = [];
  Error.stackTraceLimit = 40;
  pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
    const [first] = given as unknown[];
    const text = typeof first === 'string' ? first : (first as { text: string }).text;
    const stack = new Error().stack ?? '';
    seen.push({ text, stack, user: this.user ?? '' });
    return query.apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
    Error.stackTraceLimit = stackTraceLimit;
  }
  return seen;
}

test(`PE5 a purchase with all its jobs costs at most ${MOST} statements`, async () => {
  const shop = await startTestShop();
  const idle = () =>
    until(async () => {
      const { rows } = await sql`select from pgboss.job
        where state in ('created', 'active', 'retry') limit 1`.execute(shop.db);
      return rows.length === 0;
    }, 'all jobs are done');
  const active = async () =>
    (await shop.db.selectFrom('subscription').select('id').where('status', '=', 'active').execute()).length;
  try {
    // Fills the node's caches and prepares its statements.
    await shop.customer('first');
    await idle();
    const { metadata: _, consent } = await beginOrder(shop.client);
    const { product } = (
      await shop.client.order.getProduct({
        body: {
          planId: 'solo',
          cycleCount: 1,
          providerId: 'demo',
          regionId: 'th-bkk',
          vendorId: 'fixpoint',
          currency: 'THB',
        },
      })
    ).data!;
    const seen = await statementsOf(async () => {
      const begun = await shop.client.order.getMetaData({ body: { productId: product.id, currency: 'THB' } });
      const { metadata } = begun.data!;
      const buyer = { email: 'second@example.com', language: 'en' as const };
      const bought = await shop.client.order.purchase({ body: { ...consent, metadata, ...buyer } });
      await confirmCard(shop, cardPaymentOf(bought.data));
      await shop.client.order.confirmPurchase({ body: { metadata } });
      await until(async () => (await active()) === 2, 'the second tunnel');
      await idle();
    });
    const purchase = seen.filter(isPurchase).map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 120));
    const jobs = purchase.filter(text => COMPLETED.test(text)).length;
    expect(jobs).toBe(5);
    expect(purchase.filter(text => text.startsWith('insert into "shop_order"'))).toHaveLength(1);
    // Fetching each job takes one more.
    expect(purchase.length + jobs, purchase.join('\n')).toBeLessThanOrEqual(MOST);
  } finally {
    await shop.stop();
  }
});
