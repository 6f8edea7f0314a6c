import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  type emailTo,
  PASSWORD,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const LINK = /\/auth\/reset-password\?token=([\w-]+)&next=(\S+)/;
const INVOICED = /Nothing is charged automatically/;
const CHARGED = /Renews every month/;

type Mail = Awaited<ReturnType<typeof emailTo>>;

/** Every email to an address, the oldest first, once nothing is due any more. */
async function emailsTo(email: string): Promise<Mail[]> {
  await shop.sweep();
  const api = `${shop.sandboxUrl}/mail/api/v1`;
  const found = await fetch(`${api}/search?query=${encodeURIComponent(`to:${email}`)}`);
  const { messages } = (await found.json()) as { messages: { ID: string }[] };
  const all = messages.map(async ({ ID }) => (await (await fetch(`${api}/message/${ID}`)).json()) as Mail);
  return (await Promise.all(all)).reverse();
}

/** Buys as a guest and waits until the order has the status. */
async function buy(email: string, by: 'card' | 'promptpay' = 'card') {
  const { consent, metadata } = await beginOrder(shop.client);
  const body = { ...consent, paymentMethod: by, email, language: 'en' as const };
  const bought = await shop.client.order.purchase({ body });
  if (by === 'card') await confirmCard(shop, cardPaymentOf(bought.data));
  else {
    const { payments } = await shop.sandbox.ledger();
    await shop.sandbox.control('promptpay/pay', { intent: payments.at(-1)!.payment_intent });
  }
  await shop.client.order.confirmPurchase({ body: { metadata } });
  const order = async () => (await shop.client.order.purchaseData({ body: { metadata } })).data!;
  await until(async () => (await order()).status === 'fulfilled', 'the delivery');
  const isActive = () => until(async () => (await order()).subscription?.status === 'active', 'the tunnel');
  return { order, isActive };
}

/** Buys by card as a customer and waits for the tunnel. */
async function buyAs(client: TestShop['client']): Promise<void> {
  const { consent, metadata } = await beginOrder(client);
  const bought = await client.order.purchaseLogin({ body: consent });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await client.order.confirmPurchase({ body: { metadata } });
  const order = async () => (await client.order.purchaseData({ body: { metadata } })).data;
  await until(async () => (await order())?.subscription?.status === 'active', 'the tunnel');
}

test('O5 a new buyer gets one email: the address, one button that sets a password and leads on, and the receipt', async () => {
  const { order, isActive } = await buy('first@example.com');
  await isActive();
  const [mail, ...others] = await emailsTo('first@example.com');
  expect(others.map(({ Subject }) => Subject)).toEqual([]);
  const { subscription, emailed } = await order();
  expect(emailed).toBe(true);
  expect(mail!.Subject).toContain(subscription!.address);
  expect(mail!.Attachments.map(({ FileName }) => FileName)).toEqual([
    expect.stringMatching(/^2\d{3}-\d+\.pdf$/),
  ]);
  expect(mail!.Text.match(/https?:\S*#/g)).toHaveLength(1);
  const [, token, next] = LINK.exec(mail!.Text)!;
  expect(decodeURIComponent(next!)).toBe(`subscription/${subscription!.id}`);
  const set = await shop.client.auth.setPassword(
    { body: { password: PASSWORD } },
    { authorization: `Bearer ${token}` },
  );
  expect(set.code).toBe('0000');
});

test('O5 while the VPN takes longer than a minute the receipt comes first, with that button; then the address', async () => {
  shop.host.failChecks(undefined);
  const { order, isActive } = await buy('patient@example.com');
  expect(await emailsTo('patient@example.com')).toEqual([]);
  expect((await order()).emailed).toBe(false);
  shop.clock.advance(61_000);
  const [receipt, ...none] = await emailsTo('patient@example.com');
  expect(none).toEqual([]);
  expect(receipt!.Subject).toMatch(/receipt/i);
  expect(receipt!.Text).toMatch(LINK);
  expect(receipt!.Attachments).toHaveLength(1);
  expect((await order()).emailed).toBe(true);
  shop.host.failChecks([]);
  await shop.host.report();
  await isActive();
  const [, ready, ...more] = await emailsTo('patient@example.com');
  expect(more).toEqual([]);
  expect(ready!.Subject).toContain((await order()).subscription!.address);
  expect(ready!.Text).toMatch(LINK);
  // The receipt is there already.
  expect(ready!.Attachments).toEqual([]);
});

test('O5 a customer with a password gets one email as well, whose link leads to their page', async () => {
  const { email, client } = await shop.customer('known');
  const before = (await emailsTo(email)).length;
  await buyAs(client);
  const emails = (await emailsTo(email)).slice(before);
  expect(emails).toHaveLength(1);
  expect(emails[0]!.Text).not.toContain('token=');
  expect(emails[0]!.Text).toContain('#/en/management/subscription/sub_');
});

test('U76 a customer who wants no email that the VPN is ready gets the receipt', async () => {
  const { email, client } = await shop.customer('receipts-only');
  expect((await client.account.setEmails({ body: { off: ['ready'] } })).code).toBe('0000');
  const before = (await emailsTo(email)).length;
  await buyAs(client);
  const [receipt, ...others] = (await emailsTo(email)).slice(before);
  expect(others).toEqual([]);
  expect(receipt!.Subject).toMatch(/^Receipt: /);
  expect(receipt!.Attachments).toHaveLength(1);
});

test('O5 while an account has no password every link to it leads through setting one', async () => {
  const address = 'without@example.com';
  await (await buy(address)).isActive();
  // A later email that says nothing of passwords: the account is announced another price for its renewal.
  const { id, subscriptionId } = await shop.db
    .selectFrom('customer')
    .innerJoin('subscription', 'subscription.customer_id', 'customer.id')
    .select(['customer.id', 'subscription.id as subscriptionId'])
    .where('email', '=', address)
    .executeTakeFirstOrThrow();
  for (const template of ['renewalAhead', 'resumed', 'cancelled'] as const) {
    const data = JSON.stringify({ template, customerId: id, subjectId: subscriptionId });
    await shop.db
      .insertInto('job_request')
      .values({ customer_id: id, name: 'sendEmail', data: data as never })
      .execute();
  }
  const emails = await emailsTo(address);
  expect(emails.length).toBeGreaterThan(2);
  for (const { Text } of emails) {
    expect(Text).not.toContain('#/en/management');
    expect(Text).toMatch(LINK);
  }
});

test('S17 what a guest has ordered is emailed at once, also to an address with other subscriptions', async () => {
  const { email } = await shop.customer('given-to');
  const counts: number[] = [];
  for (const address of [email, 'twice@example.com']) {
    const before = (await emailsTo(address)).length;
    for (const _ of [1, 2]) {
      const { order, isActive } = await buy(address);
      await isActive();
      await shop.sweep();
      expect((await order()).emailed).toBe(true);
    }
    counts.push((await emailsTo(address)).length - before);
  }
  expect(counts).toEqual([2, 2]);
});

test('O5 of several emails that leave as one every link leads through setting the first password', async () => {
  const address = 'several@example.com';
  for (const _ of [1, 2]) await (await buy(address)).isActive();
  const before = (await emailsTo(address)).length;
  const owned = await shop.db
    .selectFrom('subscription')
    .innerJoin('customer', 'customer.id', 'subscription.customer_id')
    .select(['subscription.id', 'subscription.customer_id'])
    .where('email', '=', address)
    .execute();
  for (const { id, customer_id } of owned) {
    const data = JSON.stringify({ template: 'renewalAhead', customerId: customer_id, subjectId: id });
    await shop.db
      .insertInto('job_request')
      .values({ customer_id, name: 'sendEmail', data: data as never })
      .execute();
  }
  await shop.sweep();
  // Until the evening at the latest.
  shop.clock.advance(24 * 60 * 60_000);
  const [together, ...others] = (await emailsTo(address)).slice(before);
  expect(others).toEqual([]);
  expect(together!.Text).not.toContain('#/en/management');
  for (const { id } of owned) expect(together!.Text).toContain(`next=subscription%2F${id}`);
});

test('U61 what a receipt says of the renewal is true for the method that paid', async () => {
  const [card, code] = [await buy('by-card@example.com'), await buy('by-code@example.com', 'promptpay')];
  await Promise.all([card.isActive(), code.isActive()]);
  const textTo = async (email: string) => (await emailsTo(email))[0]!.Text;
  expect(await textTo('by-card@example.com')).toMatch(CHARGED);
  expect((await card.order()).charged).toBe(true);
  const invoiced = await textTo('by-code@example.com');
  expect(invoiced).toMatch(INVOICED);
  expect(invoiced).not.toMatch(CHARGED);
  expect((await code.order()).charged).toBe(false);
  const { data } = await shop.client.order.getAllPlan({ query: {} });
  expect(data!.renewBy).toEqual(data!.payBy.filter(method => method === 'card' || method === 'paypal'));
});
