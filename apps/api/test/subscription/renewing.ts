import { clientSecretOf, confirmCard, emailTo, PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** A customer whose subscription is lived through: what a test of renewals looks at, and what goes wrong with his card. */
export async function subscriber(shop: TestShop, name: string) {
  const customer = await shop.customer(name);
  await savedCard(customer.client);
  return followed(shop, customer);
}

/** The card that paid, as soon as it is saved: a job does so behind the purchase. */
export const savedCard = (client: TestClient) =>
  until(async () => (await client.payment.getCard()).data!.cards[0], 'the card that paid is saved');

/** The same of somebody who has bought already. */
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
    shop.clock.advance(target.getTime() - shop.clock.now().getTime());
    await shop.sweep();
  };
  return {
    ...customer,
    firstEnd,
    row,
    /** What Stripe calls him. */
    gatewayCustomerRef,
    /** Logged in now: days have passed. */
    async now(): Promise<TestClient> {
      const body = { email: customer.email, password: PASSWORD };
      return createClient(shop.url, (await shop.client.auth.login({ body })).token);
    },
    /** The shop's clock goes to so many days before (-) or after the first period's end, and all that is due is done. */
    at: (days: number) => to(new Date(firstEnd.getTime() + days * DAY_MS)),
    /** Time passes until then, from one instant at which something is due to the next. */
    async liveUntil(end: Date) {
      for (;;) {
        const { due_at } = await row();
        if (!due_at || due_at >= end) return to(end);
        await to(due_at > shop.clock.now() ? due_at : new Date(shop.clock.now().getTime() + MINUTE_MS));
      }
    },
    /** The days that were paid for, in their order. */
    periods: () =>
      shop.db
        .selectFrom('subscription_period')
        .select(['starts_at', 'ends_at'])
        .where('subscription_id', '=', id)
        .orderBy('starts_at')
        .execute(),
    /** His default card is another one from now on, as a bank changes its mind. */
    async cardIs(token: string) {
      const customer = await gatewayCustomerRef();
      const { id: provider_ref } = await shop.stripe.paymentMethods.attach(token, { customer });
      await shop.db
        .updateTable('saved_method')
        .set({ provider_ref })
        .where('customer_id', '=', customer_id)
        .execute();
    },
    /** From now on nothing of his can be charged. */
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
    /** Every try to pay one of his invoices, the latest first. */
    attempts: () =>
      shop.db
        .selectFrom('attempt')
        .selectAll()
        .where('customer_id', '=', customer_id)
        .orderBy('created_at', 'desc')
        .execute(),
    /** What Stripe has taken from him: the amounts, in the shop's unit. */
    async taken(): Promise<number[]> {
      const list = await shop.stripe.charges.list({ customer: await gatewayCustomerRef(), limit: 100 });
      return list.data.filter(({ paid }) => paid).map(({ amount }) => amount);
    },
    /** How often his card was asked, whatever came of it. */
    async asked(): Promise<number> {
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

/** A day as an English email writes it. */
export const dayInEmails = (at: Date | string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Asia/Bangkok' }).format(new Date(at));

/** Each period begins where the one before it ended. */
export function expectWithoutGap(periods: readonly { starts_at: Date; ends_at: Date }[]): void {
  for (const [index, { starts_at }] of periods.entries()) {
    if (index > 0) expect(starts_at).toEqual(periods[index - 1]!.ends_at);
  }
}

/** An order for what has ended, as far as the moment before it is paid. */
export async function orderAgain(client: TestClient, id: string) {
  const { product, total } = (await client.order.getData({ query: { id } })).data!;
  const { currency, price } = total;
  const begin = { productId: product.id, currency, subscriptionId: id };
  const { metadata } = (await client.order.getMetaData({ body: begin })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  return { metadata, paymentMethod: 'card' as const, termsVersion, price: { currency, price } };
}

/** Buys again what has ended, by card. */
export async function takeUpAgain(
  shop: TestShop,
  person: Awaited<ReturnType<typeof subscriber>>,
): Promise<void> {
  const client = await person.now();
  const body = await orderAgain(client, person.subscriptionId);
  const bought = await client.order.purchaseReactivate({ body });
  await confirmCard(shop, clientSecretOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata: body.metadata } });
  await until(async () => (await person.row()).status === 'active', 'it is active again');
}
