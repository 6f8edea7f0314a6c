import { makeCard, paypalOrderOf } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriber } from '../subscription/renewing.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

/** A customer who pays by hand, a week before their period ends, and the token in the email of their invoice. */
async function owing(name: string) {
  const customer = await subscriber(shop, name);
  await customer.forgetCard();
  await customer.at(-7);
  const email = await customer.message(/please pay/);
  const token = /\/#\/en\/pay\?token=(\S+)/.exec(email.Text)![1]!;
  return {
    ...customer,
    email: customer.email,
    mail: email,
    token,
    byLink: createClient(shop.url, token).payLink,
  };
}

test('U78 the link of an invoice’s email shows number, period, amount and methods, and nothing of the customer', async () => {
  const anna = await owing('link-shows');
  expect(anna.mail.Subject).toMatch(/^7 days left: please pay THB.199\.00 for Solo [\d.]+$/);
  const answer = await anna.byLink.invoice({ body: {} });
  const row = await shop.db
    .selectFrom('invoice')
    .select(['reference', 'period_start', 'period_end'])
    .where('subscription_id', '=', anna.subscriptionId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  expect(answer.data).toEqual({
    status: 'open',
    open: {
      reference: row.reference,
      period: { start: row.period_start!.toISOString(), end: row.period_end!.toISOString() },
      currency: 'THB',
      amount: 199_00,
      methods: expect.arrayContaining(['card', 'promptpay']),
    },
  });
  for (const personal of [anna.email, anna.subscriptionId, 'link-shows'])
    expect(JSON.stringify(answer)).not.toContain(personal);
});

test('U78 whoever has the link pays by a card of their own, which the customer’s account does not keep', async () => {
  const ben = await owing('link-pays');
  const asked = await ben.byLink.pay({ body: { paymentMethod: 'card' } });
  expect(asked.data).toMatchObject({ status: 'open', payment: { nextAction: { kind: 'card' } } });
  const paid = await ben.byLink.pay({ body: { paymentMethod: 'card', card: await makeCard(shop) } });
  expect(paid.data).toEqual({ status: 'paid' });
  await shop.sweep();
  expect((await (await ben.now()).payment.getCard()).data!.cards).toEqual([]);
  const intents = await shop.stripe.paymentIntents.list({ customer: await ben.gatewayCustomerRef() });
  expect(intents.data[0]!.setup_future_usage).toBeNull();
  expect((await ben.row()).status).toBe('active');
  // The link is over with its invoice.
  expect((await ben.byLink.invoice({ body: {} })).data).toEqual({ status: 'paid' });
  expect((await ben.byLink.pay({ body: { paymentMethod: 'promptpay' } })).data).toEqual({ status: 'paid' });
  expect((await ben.byLink.ask({ body: {} })).data).toEqual({ status: 'paid' });
});

test('U78 a PayPal account that has paid by the link is not kept either', async () => {
  const fay = await owing('link-paypal');
  const asked = await fay.byLink.pay({ body: { paymentMethod: 'paypal' } });
  await shop.sandbox.control('paypal/approve', { order: paypalOrderOf(asked.data), funding: 'balance' });
  expect((await fay.byLink.ask({ body: {} })).data).toEqual({ status: 'paid' });
  await shop.sweep();
  expect((await (await fay.now()).payment.getCard()).data!.accounts).toEqual([]);
});

test('U78 no saved method of the customer is used by the link, and no payment that they have begun is shown', async () => {
  const cleo = await owing('link-uses');
  const { id: invoiceId } = (await cleo.invoices()).at(-1)!;
  const client = await cleo.now();
  const own = await client.payment.payment({ body: { invoiceId, paymentMethod: 'promptpay' } });
  expect(own.data!.payment!.nextAction.kind).toBe('scan');
  expect((await cleo.byLink.ask({ body: {} })).data).toEqual({ status: 'open' });
  const saved = await cleo.byLink.pay({ body: { paymentMethod: 'card', cardId: 'met_0' } as never });
  expect(saved.code).toBe('7004');
  // The payer's own code replaces the customer's: one of the two can be paid.
  const other = await cleo.byLink.pay({ body: { paymentMethod: 'promptpay' } });
  expect(other.data!.payment!.nextAction.kind).toBe('scan');
  expect(other.data!.payment!.nextAction).not.toEqual(own.data!.payment!.nextAction);
  const attempts = (await cleo.attempts()).filter(({ invoice_id }) => invoice_id === invoiceId);
  const statuses = attempts
    .sort((a, b) => b.attempt_no - a.attempt_no)
    .map(({ status, by_link }) => [status, by_link]);
  expect(statuses).toEqual([
    ['open', true],
    ['closed', false],
  ]);
});

test('U78 an unknown link says so, and the link of a void invoice pays nothing', async () => {
  const dan = await owing('link-void');
  for (const token of [`${dan.token.slice(0, -2)}AA`, `x${dan.token}`, 'nothing']) {
    const { payLink } = createClient(shop.url, token);
    for (const answer of [
      await payLink.invoice({ body: {} }),
      await payLink.pay({ body: { paymentMethod: 'card' } }),
      await payLink.ask({ body: {} }),
    ])
      expect(answer.code, token).toBe('8003');
  }
  const id = dan.subscriptionId;
  await (await dan.now()).subscription.cancelSubscription({ body: { id } });
  await shop.sweep();
  expect((await dan.byLink.invoice({ body: {} })).data).toEqual({ status: 'void' });
  const late = await dan.byLink.pay({ body: { paymentMethod: 'card', card: await makeCard(shop) } });
  expect(late.data).toEqual({ status: 'void' });
  expect(await dan.taken()).toHaveLength(1);
});

test('U77 reminders of an open invoice escalate in their subjects, and answers go to support', async () => {
  const eva = await owing('escalates');
  for (const days of [-1, 0, 2, 4]) await eva.at(days);
  const query = encodeURIComponent(`to:${eva.email}`);
  const api = `${shop.sandboxUrl}/mail/api/v1`;
  const { messages } = (await (await fetch(`${api}/search?limit=100&query=${query}`)).json()) as {
    messages: { Subject: string; ReplyTo: { Address: string }[] }[];
  };
  const asked = messages.filter(({ Subject }) => /please pay/.test(Subject)).reverse();
  expect(asked.map(({ Subject }) => Subject.split(':')[0])).toEqual([
    '7 days left',
    'Tomorrow',
    'Last day',
    'Overdue, 4 days left',
    'Overdue, 2 days left',
  ]);
  for (const { ReplyTo } of messages)
    expect(ReplyTo.map(({ Address }) => Address)).toEqual(['support@fixpoint.example']);
});
