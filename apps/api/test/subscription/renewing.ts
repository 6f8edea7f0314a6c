import { cardPaymentOf, confirmCard, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** Creates a subscriber, with access to everything that tests of renewals check, and control of their card. */
export async function subscriber(shop: TestShop, name: string) {
  const customer = await shop.customer(name);
  await savedCard(customer.client);
  return followed(shop, customer);
}

/** Waits for the card of the purchase, which a job saves afterwards. */
export const savedCard = (client: TestClient) =>
  until(async () => (await client.payment.getCard()).data!.cards[0], 'the card that paid is saved');

/** Same for somebody who has bought already. */
export async function followed<C extends { email: string; subscriptionId: string }>(
  shop: TestShop,
  customer: C,
) {
  const id = customer.subscriptionId;
  const row = () =>
    shop.db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { period_end, customer_id } = await row();
  const gatewayCustomerRef = async () => {
    const { provider_ref } = await shop.db
      .selectFrom('gateway_customer')
      .select('provider_ref')
      .where('customer_id', '=', customer_id)
      .executeTakeFirstOrThrow();
    return provider_ref!;
  };
  const firstEnd = period_end!;
  const to = async (target: Date) => {
    await remindUntil(shop, target);
    shop.clock.advance(target.getTime() - shop.clock.now().getTime());
    await shop.sweep();
  };
  return {
    ...customer,
    firstEnd,
    row,
    /** The customer's id at Stripe. */
    gatewayCustomerRef,
    /** Logs in again, because days have passed. */
    async now(): Promise<TestClient> {
      const body = { email: customer.email, password: PASSWORD };
      return createClient(shop.url, (await shop.client.auth.login({ body })).token);
    },
    /** Sets the shop clock to `days` before (negative) or after the end of the first period, and runs everything due. */
    at: (days: number) => to(new Date(firstEnd.getTime() + days * DAY_MS)),
    /** Advances time until `end`, from one due instant to the next. */
    async liveUntil(end: Date) {
      for (;;) {
        const { due_at } = await row();
        if (!due_at || due_at >= end) return to(end);
        await to(due_at > shop.clock.now() ? due_at : new Date(shop.clock.now().getTime() + MINUTE_MS));
      }
    },
    /** Paid periods in order. */
    periods: () =>
      shop.db
        .selectFrom('subscription_period')
        .select(['starts_at', 'ends_at'])
        .where('subscription_id', '=', id)
        .orderBy('starts_at')
        .execute(),
    /** Replaces the default card, as when the bank changes its decision. */
    async cardIs(token: string) {
      const customer = await gatewayCustomerRef();
      const { id: provider_ref } = await shop.stripe.paymentMethods.attach(token, { customer });
      await shop.db
        .updateTable('saved_method')
        .set({ provider_ref })
        .where('customer_id', '=', customer_id)
        .execute();
    },
    /** Removes the card, so that nothing can be charged. */
    async forgetCard() {
      await shop.db
        .updateTable('attempt')
        .set({ saved_method_id: null })
        .where('customer_id', '=', customer_id)
        .execute();
      await shop.db.deleteFrom('saved_method').where('customer_id', '=', customer_id).execute();
    },
    async credit(amount: number) {
      const given = { currency: 'THB', created_at: shop.clock.now() };
      const entry = { txn: `goodwill:${id}:${amount}`, ...given };
      await shop.db
        .insertInto('goodwill')
        .values({ id: `${id}:${amount}`, customer_id, amount, reason: 'late', ...given })
        .execute();
      await shop.db
        .insertInto('ledger_entry')
        .values([
          { ...entry, position: 0, account: 'goodwill', amount },
          { ...entry, position: 1, account: 'credit', amount: -amount, customer_id },
        ])
        .execute();
    },
    invoices: () =>
      shop.db
        .selectFrom('invoice')
        .select(['id', 'status', 'purpose', 'total', 'credit_used', 'number', 'issued_at'])
        .select(['period_start', 'period_end'])
        .where('subscription_id', '=', id)
        .orderBy('created_at')
        .execute(),
    /** Every attempt to collect one of their invoices, the latest first. */
    attempts: () =>
      shop.db
        .selectFrom('attempt')
        .selectAll()
        .where('customer_id', '=', customer_id)
        .orderBy('created_at', 'desc')
        .execute(),
    /** Amounts that Stripe has taken from them, in the shop's unit. */
    async taken(): Promise<number[]> {
      const list = await shop.stripe.charges.list({ customer: await gatewayCustomerRef(), limit: 100 });
      return list.data.filter(({ paid }) => paid).map(({ amount }) => amount);
    },
    /** How often their card was charged, with any result. */
    async chargeTries(): Promise<number> {
      const list = await shop.stripe.charges.list({ customer: await gatewayCustomerRef(), limit: 100 });
      return list.data.length;
    },
    message: (says: RegExp) => emailTo(shop, customer.email, says),
    async emails(subject: RegExp): Promise<number> {
      const query = encodeURIComponent(`to:${customer.email}`);
      const found = await fetch(`${shop.sandboxUrl}/mail/api/v1/search?limit=1000&query=${query}`);
      const { messages } = (await found.json()) as { messages: { Subject: string }[] };
      return messages.filter(({ Subject }) => subject.test(Subject)).length;
    },
  };
}

/**
 * Marks the reminders that a worker would have sent a day or more before `target`: a leap of the clock is no outage, after
 * which a charge waits for its reminder.
 */
async function remindUntil({ db }: TestShop, target: Date): Promise<void> {
  const remindedAt = sql<Date>`period_end - make_interval(days => case cycle_count when 1 then 3 else 7 end)`;
  await db
    .updateTable('subscription')
    .set({ reminders: sql<number>`case cycle_count when 12 then 2 else 1 end`, reminded_at: remindedAt })
    .where('status', '=', 'active')
    .where('cancel_at_period_end', '=', false)
    .where('suspended', '=', false)
    .where('reminded_at', 'is', null)
    .where(remindedAt, '<=', new Date(target.getTime() - DAY_MS))
    .execute();
}

/** Has no subscription processed any more: each later test moves the clock on, and would renew those of all tests before it. */
export const leaveAlone = ({ db }: TestShop): Promise<unknown> =>
  db.updateTable('subscription').set({ due_at: null }).where('due_at', 'is not', null).execute();

/** A date as an English email writes it. */
export const dayInEmails = (at: Date | string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Asia/Bangkok' }).format(new Date(at));

/** Expects each period to begin where the previous one ended. */
export function expectWithoutGap(periods: readonly { starts_at: Date; ends_at: Date }[]): void {
  for (const [index, { starts_at }] of periods.entries()) {
    if (index > 0) expect(starts_at).toEqual(periods[index - 1]!.ends_at);
  }
}

/** Begins an order that reactivates an ended subscription, up to the moment before payment. */
export async function orderAgain(client: TestClient, id: string) {
  const { product, total } = (await client.order.getData({ query: { id } })).data!;
  const { currency, price } = total;
  const begin = { productId: product.id, currency, subscriptionId: id };
  const { metadata } = (await client.order.getMetaData({ body: begin })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  return { metadata, paymentMethod: 'card' as const, termsVersion, price: { currency, price } };
}

/** Reactivates an ended subscription by card. */
export async function takeUpAgain(
  shop: TestShop,
  person: Awaited<ReturnType<typeof subscriber>>,
): Promise<void> {
  const client = await person.now();
  const body = await orderAgain(client, person.subscriptionId);
  const bought = await client.order.purchaseReactivate({ body });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata: body.metadata } });
  await until(async () => (await person.row()).status === 'active', 'it is active again');
}
