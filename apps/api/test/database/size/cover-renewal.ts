import { cardPaymentOf, makeCard } from '@fixpoint/testkit/buyer.ts';
import { sql } from 'kysely';
import {
  carryRest,
  endCarriedRests,
  restToCarry,
  settleCarriedIn,
} from '../../../src/modules/billing/carry.ts';
import { lockInvoice } from '../../../src/modules/billing/index.ts';
import { chargeRenewal } from '../../../src/modules/subscription/charge-renewal.ts';
import { orderElsewhere } from '../../checkout/replacing.ts';
import { orderPlan } from '../../checkout/upgrading.ts';
import { pay } from './cover-purchase.ts';
import type { Coverage } from './coverage.ts';

type Someone = Awaited<ReturnType<Coverage['shop']['customer']>>;

/** Covers renewals: paid with credit and card, past due until the end, past due and turned off, off and on again. */
export async function coverRenewals({ shop, app, mark }: Coverage): Promise<void> {
  const paid = await shop.customer(`renews-${mark}`);
  const pastDue = await shop.customer(`owes-${mark}`);
  const stops = await shop.customer(`stops-${mark}`);
  const off = await shop.customer(`cancels-${mark}`);
  const now = shop.clock.now();
  const owner = (id: string) => sql`(select customer_id from subscription where id = ${id})`;
  const due = (id: string, hours: number, reminders: 0 | 1) =>
    sql`update subscription set due_at = ${now}, reminders = ${reminders}::int,
      reminded_at = case when ${reminders}::int = 1 then ${now}::timestamptz - interval '2 d' end,
      period_end = ${now}::timestamptz + ${hours}::int * interval '1 h' where id = ${id}`.execute(shop.db);
  for (const { subscriptionId: id } of [paid, pastDue]) {
    await sql`insert into ledger_entry (txn, position, account, customer_id, currency, amount, created_at)
      values (${`run-${id}`}, 0, 'goodwill', null, 'THB', 500, ${now}),
        (${`run-${id}`}, 1, 'credit', ${owner(id)}, 'THB', -500, ${now})`.execute(shop.db);
  }
  // Reminder first, then the charge.
  await due(paid.subscriptionId, 48, 0);
  await shop.sweep();
  for (const { subscriptionId } of [pastDue, stops]) await refuseSoon(shop, subscriptionId);
  for (const { subscriptionId } of [paid, pastDue, stops]) await due(subscriptionId, 1, 1);
  await shop.sweep();
  await cancel(stops, false);
  await payPastDue({ shop, app }, pastDue);
  await shop.sweep();
  // A week after its invoice the last try is made, and an hour later it expires.
  for (const hours of [7 * 24, 7 * 24 + 2]) {
    await sql`update invoice set issued_at = ${now}::timestamptz - ${hours}::int * interval '1 h'
      where subscription_id = ${pastDue.subscriptionId} and status = 'open'`.execute(shop.db);
    await due(pastDue.subscriptionId, 24 - hours, 1);
    await shop.sweep();
  }
  await cancel(off, false);
  await cancel(off, true);
  await shop.sweep();
  await changePlans(shop, off);
  await takeUpAgain(shop, pastDue);
  await replace(shop, await shop.customer(`moves-${mark}`));
  await withdraw(await shop.customer(`withdraws-${mark}`));
  await carry({ shop, app, mark }, await shop.customer(`carries-${mark}`));
}

/** Carries a rest that no payment method takes out of one invoice, collects too much of it, and writes it off. */
async function carry({ shop, app }: Coverage, { subscriptionId }: Someone): Promise<void> {
  const now = shop.clock.now();
  const { customer_id: customerId } = await shop.db
    .selectFrom('subscription')
    .select('customer_id')
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  const { id, order_id: orderId } = await shop.db
    .selectFrom('invoice')
    .select(['id', 'order_id'])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await app.transaction().execute(async tx => {
    const invoice = { ...(await lockInvoice(tx, id)), due: 5_00 };
    if (!(await carryRest(tx, invoice, 5_00, () => false))) throw new Error('It was not carried');
    await sql`update invoice set carried_in = 6_00 where id = ${id}`.execute(tx);
    await settleCarriedIn(tx, { id, customerId, currency: 'THB', carriedIn: 6_00 });
    await sql`update invoice set carried_in = 0 where id = ${id}`.execute(tx);
    await endCarriedRests(tx, now, customerId);
  });
  await restToCarry(app, { customerId: null, orderId, currency: 'THB', rest: 1 }, () => false);
}

const cancel = ({ client, subscriptionId: id }: Someone, undo: boolean) =>
  client.subscription.cancelSubscription({ body: { id, reasons: ['other'], undo } });

/** Upgrades at once, schedules a downgrade, and chooses a plan that costs less than was paid. */
async function changePlans(shop: Coverage['shop'], { client, subscriptionId: id }: Someone) {
  await client.subscription.addKey({ body: { subscriptionId: id, name: 'kept' } });
  const consent = await orderPlan(client, { subscriptionId: id }, 'plus');
  // As if another price had been announced at that moment.
  await sql`update subscription set version = version + 1 where id = ${id}`.execute(shop.db);
  const bought = await client.order.purchaseLogin({ body: consent });
  await pay(shop, client, consent.metadata, cardPaymentOf(bought.data));
  for (const planId of ['solo', null]) await client.subscription.planDowngrade({ body: { id, planId } });
  const team = (factor: number) =>
    sql`update plan_price set price = price * ${factor}::numeric where plan_id = 'team'`.execute(shop.db);
  await team(0.1);
  await client.order.purchaseLogin({ body: await orderPlan(client, { subscriptionId: id }, 'team') });
  await team(10);
  await shop.sweep();
}

/** Replaces the subscription; a second replacement order comes too late. */
async function replace(shop: Coverage['shop'], someone: Someone) {
  const { client } = someone;
  const orders = [await orderElsewhere(client, someone), await orderElsewhere(client, someone)];
  const answers = [];
  for (const body of orders) answers.push(await client.order.purchaseLogin({ body }));
  for (const [i, { metadata }] of orders.entries()) {
    await pay(shop, client, metadata, cardPaymentOf(answers[i]!.data));
    await shop.sweep();
  }
}

/** Reads the refund, withdraws, and reads it again. */
async function withdraw({ client, subscriptionId: id }: Someone) {
  const of = { id, country: 'DE' };
  await client.subscription.getSubscription({ query: { id } });
  const { data: back } = await client.subscription.withdrawal({ query: of });
  const { code } = await client.subscription.withdraw({ body: { ...of, back: back! } });
  if (code !== '0000') throw new Error(`withdraw answered ${code}`);
  await client.subscription.withdrawal({ query: of });
}

/** Reactivates an ended subscription. */
async function takeUpAgain(shop: Coverage['shop'], { client, subscriptionId }: Someone) {
  const { product, total } = (await client.order.getData({ query: { id: subscriptionId } })).data!;
  const { currency } = total;
  const body = { productId: product.id, currency, subscriptionId };
  const { metadata } = (await client.order.getMetaData({ body })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  const price = { currency, price: total.price };
  const consent = { metadata, paymentMethod: 'card' as const, termsVersion, price };
  const bought = await client.order.purchaseReactivate({ body: consent });
  await pay(shop, client, metadata, cardPaymentOf(bought.data));
}

/** Reads the past-due invoice, tries to charge the card manually, and saves another one that is charged and refused, too. */
async function payPastDue(
  { shop, app }: Pick<Coverage, 'shop' | 'app'>,
  { client, subscriptionId }: Someone,
) {
  const { data } = await client.subscription.getSubscription({ query: { id: subscriptionId } });
  const { cards } = (await client.payment.getCard()).data!;
  const invoiceId = data!.openInvoice!.id;
  await chargeWithoutMethod({ shop, app }, invoiceId);
  await client.payment.payment({ body: { invoiceId, paymentMethod: 'card', cardId: cards[0]!.id } });
  await client.payment.askInvoice({ body: { invoiceId } });
  const card = await makeCard(shop, { number: '4000000000000341' });
  await client.payment.updPayment({ body: { card, asDefault: true } });
}

/** The card is gone when the charge begins. */
const chargeWithoutMethod = ({ shop, app }: Pick<Coverage, 'shop' | 'app'>, invoiceId: string) =>
  chargeRenewal(
    {
      db: app,
      clock: shop.clock,
      jobs: { enqueue: async () => undefined, enqueueAll: async () => undefined },
      charge: async () => false,
      isPaidOnItsWay: async () => false,
    } as unknown as Parameters<typeof chargeRenewal>[0],
    invoiceId,
    1,
  );

/** The bank asks for confirmation while the customer is absent. */
async function refuseSoon(shop: Coverage['shop'], subscriptionId: string): Promise<void> {
  const { rows } = await sql<{ payer: string; method: string }>`
    select gateway_customer.provider_ref as payer, saved_method.id as method from subscription
    join saved_method using (customer_id) join gateway_customer on gateway_customer.id = gateway_customer_id
    where subscription.id = ${subscriptionId}`.execute(shop.db);
  const { payer, method } = rows[0]!;
  const card = await shop.stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer: payer });
  await sql`update saved_method set provider_ref = ${card.id} where id = ${method}`.execute(shop.db);
}
