import { toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  emailTo,
  logInByEmail,
  PASSWORD,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { createClient, type TestClient } from '@fixpoint/testkit/client.ts';
import { sellInYen } from '@fixpoint/testkit/load-test/load-test.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createBtcpayBooks } from '../../src/adapters/btcpay/books.ts';
import { openBtcpay } from '../../src/adapters/btcpay/client.ts';
import { checkDatabase, compareGateway } from '../../src/modules/books/index.ts';
import { signUp } from '../helpers/people.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';

/** Coins that come exactly, in part, too many, late, twice, or not at all (S40). */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PRICE = 199_00;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
  await sellInYen(shop.db);
});
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

type Payment = NonNullable<
  NonNullable<Awaited<ReturnType<TestClient['order']['purchase']>>['data']>['payment']
>;
const btcpay = (path: string, body: object) => shop.sandbox.control(`btcpay/${path}`, body);
const minuteLater = async (ms = MINUTE_MS) => {
  shop.clock.advance(ms);
  await shop.sweep();
};

/** Begins an order of a guest, or of a logged-in customer, to be paid by bitcoin. */
async function newOrder(name: string, client = shop.client, currency = 'THB') {
  const { consent, metadata } = await beginOrder(client, { currency });
  const email = `${name}@example.com`;
  const bitcoin = { ...consent, paymentMethod: 'bitcoin' as const };
  const guest = client === shop.client;
  const ask = async () =>
    guest
      ? client.order.purchase({ body: { ...bitcoin, email, language: 'en' } })
      : client.order.purchaseLogin({ body: bitcoin });
  const byCard = () => client.order.purchase({ body: { ...consent, email, language: 'en' } });
  /** The payment that the page shows, and its invoice at BTCPay. */
  const offer = async (): Promise<{ payment: Payment | undefined; invoice: string }> => {
    const { data, code } = await ask();
    if (code !== '0000') throw new Error(`Refused with ${code}`);
    const { rows } = await sql<{ ref: string }>`
      select attempt.provider_ref as ref from attempt join invoice on invoice.id = invoice_id
      where reference = ${await referenceOf(email)} order by attempt_no desc limit 1`.execute(shop.db);
    return { payment: data?.payment, invoice: rows[0]!.ref };
  };
  const state = async () => (await client.order.confirmPurchase({ body: { metadata } })).data!;
  const status = (wanted: string) =>
    until(async () => {
      const { data } = await client.order.purchaseData({ body: { metadata } });
      return data?.status === wanted;
    }, `an order that is ${wanted}`);
  return { email, metadata, price: consent.price.price, offer, byCard, state, status };
}
const referenceOf = async (email: string): Promise<string> => {
  const { rows } = await sql<{ reference: string }>`
    select reference from invoice join shop_order on shop_order.id = order_id
    where shop_order.email = ${email} order by invoice.created_at desc limit 1`.execute(shop.db);
  return rows[0]!.reference;
};
const creditOf = async (email: string) => {
  const { rows } = await sql<{ amount: string }>`
    select amount from account_credit join customer on customer.id = customer_id where email = ${email}`.execute(
    shop.db,
  );
  return rows[0] ? Number(rows[0].amount) : undefined;
};
/** Money still due to payers, by provider. */
const due = async () => {
  const { rows } = await sql<{ provider: string | null; sum: number }>`
    select provider, sum(amount)::int as sum from ledger_entry where account = 'refundsDue'
    group by provider having sum(amount) <> 0`.execute(shop.db);
  return rows;
};

test('an exact payment is seen by the page at once, and delivered with the block', async () => {
  const order = await newOrder('exact');
  const { payment, invoice } = await order.offer();
  expect(payment).toMatchObject({
    method: 'bitcoin',
    nextAction: {
      kind: 'scan',
      unit: 'BTC',
      text: expect.stringMatching(/^bitcoin:/),
      address: expect.any(String),
    },
  });
  // A second tab and a reload show the same address.
  expect((await order.offer()).invoice).toBe(invoice);
  await btcpay('pay', { invoice });
  const seen = await until(async () => {
    const { payment: now } = await order.state();
    return now?.nextAction.kind === 'wait' && now.nextAction;
  }, 'coins that were seen');
  expect(seen).toMatchObject({ kind: 'wait', seen: { unit: 'BTC' } });
  expect((await order.offer()).payment?.nextAction).toMatchObject({ kind: 'wait' });
  await btcpay('confirm', { invoice });
  await order.status('fulfilled');
  expect(await creditOf(order.email)).toBeUndefined();
  await emailTo(shop, order.email, /Receipt number/);
});

describe('an underpayment', () => {
  test('takes the rest at the same address while the offer is valid', async () => {
    const order = await newOrder('rest');
    const { payment, invoice } = await order.offer();
    const { amount } = payment!.nextAction as { amount: string };
    await btcpay('pay', { invoice, share: 0.5 });
    const { nextAction } = await until(async () => {
      const { payment: now } = await order.state();
      return now?.nextAction.kind === 'scan' && now.nextAction.arrived !== undefined && now;
    }, 'the part');
    if (nextAction.kind !== 'scan') throw new Error('Nothing to scan');
    expect(Number(nextAction.amount) + Number(nextAction.arrived)).toBeCloseTo(Number(amount), 7);
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await order.status('fulfilled');
    const receipts = await shop.db.selectFrom('receipt').selectAll().execute();
    expect(receipts.reduce((sum, one) => sum + Number(one.amount), 0)).toBeGreaterThanOrEqual(2 * PRICE);
  });

  test('counts after its expiry, and another offer asks for the rest at today’s rate', async () => {
    const order = await newOrder('second-offer');
    const first = await order.offer();
    await btcpay('pay', { invoice: first.invoice, share: 0.5 });
    await btcpay('confirm', { invoice: first.invoice });
    await minuteLater(16 * MINUTE_MS);
    await btcpay('rate', { currency: 'THB', rate: '1000000' });
    const second = await order.offer();
    expect(second.invoice).not.toBe(first.invoice);
    const prepaid = second.payment!.prepaid!.amount;
    expect(prepaid).toBeGreaterThan(99_00);
    expect(prepaid).toBeLessThanOrEqual(PRICE / 2 + 3);
    const { amount } = second.payment!.nextAction as { amount: string };
    expect(Number(amount)).toBeCloseTo((PRICE - prepaid) / 100 / 1_000_000, 7);
    await btcpay('pay', { invoice: second.invoice });
    await btcpay('confirm', { invoice: second.invoice });
    await order.status('fulfilled');
    expect(await due()).toEqual([]);
    expect(await creditOf(order.email)).toBeUndefined();
  });

  test.each(['THB', 'JPY'])('is completed by a card that pays the rest and no more (%s)', async currency => {
    const order = await newOrder(`card-rest-${currency.toLowerCase()}`, shop.client, currency);
    const { invoice } = await order.offer();
    await btcpay('pay', { invoice, share: 0.5 });
    await btcpay('confirm', { invoice });
    await minuteLater(16 * MINUTE_MS);
    const { data } = await order.byCard();
    await confirmCard(shop, cardPaymentOf(data));
    await order.state();
    await order.status('fulfilled');
    const { charges } = await shop.sandbox.ledger();
    const { prepaid } = data!.payment!;
    expect(charges.at(-1)).toMatchObject({
      amount: toProviderUnit(currency, order.price - prepaid!.amount),
    });
    // The fee becomes known a moment later.
    await minuteLater(2 * MINUTE_MS);
    expect(await due()).toEqual([]);
  });

  test("that is never completed becomes credit of a guest's new account, and the guest is told", async () => {
    const order = await newOrder('never-rest');
    const { invoice } = await order.offer();
    await btcpay('pay', { invoice, share: 0.5 });
    await btcpay('confirm', { invoice });
    await minuteLater(16 * MINUTE_MS);
    expect(await creditOf(order.email)).toBeUndefined();
    // Told at once, and welcomed only with a subscription.
    const short = await emailTo(shop, order.email, /missing/);
    expect(short.Text.replaceAll('\u00a0', ' ')).toMatch(
      /THB 99\.\d\d .*arrived.*THB 99\.\d\d is still missing/,
    );
    expect(short.Text).toContain('the same bitcoin address');
    await minuteLater(DAY_MS);
    await minuteLater();
    await minuteLater();
    const credit = await until(() => creditOf(order.email), 'the credit');
    expect(credit).toBeGreaterThan(99_00);
    const link = await emailTo(shop, order.email, /reset-password\?token=/);
    expect(link.Text).toContain('Your payment is now credit');
    expect(link.Text).not.toMatch(/Thank you for your order|download/);
    // The account belongs to the guest: the email logs them in.
    const { client } = await logInByEmail(shop, order.email);
    expect((await client.auth.profile()).data).toMatchObject({ email: order.email });
    expect(await due()).toEqual([]);
  });
});

describe('an overpayment', () => {
  test('becomes credit of the buyer, who is told', async () => {
    const order = await newOrder('too-much');
    const { invoice } = await order.offer();
    await btcpay('pay', { invoice, share: 2 });
    await btcpay('confirm', { invoice });
    await order.status('fulfilled');
    const surplus = async () =>
      (await shop.client.order.purchaseData({ body: { metadata: order.metadata } })).data?.surplus;
    const announced = await surplus();
    await minuteLater();
    const credit = await until(() => creditOf(order.email), 'the credit');
    expect([announced, await surplus()]).toEqual([credit, credit]);
    expect(credit).toBeGreaterThanOrEqual(PRICE);
    expect(credit).toBeLessThan(PRICE + 10);
    await emailTo(shop, order.email, /credit/);
  });

  test('to the same address long after becomes credit too', async () => {
    const order = await newOrder('again');
    const { invoice } = await order.offer();
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await order.status('fulfilled');
    await minuteLater(20 * DAY_MS);
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await minuteLater();
    await minuteLater();
    expect(await until(() => creditOf(order.email), 'the credit')).toBeGreaterThanOrEqual(PRICE);
    const receipts = await sql`select from receipt join attempt on attempt.id = attempt_id
      where attempt.provider_ref = ${invoice}`.execute(shop.db);
    expect(receipts.rows).toHaveLength(2);
  });

  // Regression: an old address bought three times as much once the price had fallen to a third.
  test('counts at the price of its day where that is lower', async () => {
    const order = await newOrder('fallen');
    await btcpay('rate', { currency: 'THB', rate: '3000000' });
    const { invoice } = await order.offer();
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await order.status('fulfilled');
    await minuteLater(20 * DAY_MS);
    await btcpay('rate', { currency: 'THB', rate: '1000000' });
    await btcpay('pay', { invoice, amount: '0.1' });
    await btcpay('confirm', { invoice });
    await minuteLater();
    await minuteLater();
    const credit = await until(() => creditOf(order.email), 'the credit');
    expect(credit).toBeGreaterThan(99_990_00);
    expect(credit).toBeLessThanOrEqual(100_000_00);
    expect(await due()).toEqual([]);
  });

  test('of a customer whose account has ended raises an alert', async () => {
    const order = await newOrder('ended');
    const { invoice } = await order.offer();
    await btcpay('pay', { invoice, share: 2 });
    await btcpay('confirm', { invoice });
    await order.status('fulfilled');
    await sql`update customer set status = 'deleted' where email = ${order.email}`.execute(shop.db);
    await minuteLater();
    const { rows } = await sql`select from open_alert where kind = 'payment.unapplied'`.execute(shop.db);
    expect(rows).toHaveLength(1);
    await sql`update customer set status = 'active' where email = ${order.email}`.execute(shop.db);
    await minuteLater();
    await minuteLater(11 * MINUTE_MS);
  });
});

describe('a late payment', () => {
  test('pays an order that is still open, whatever is offered by then', async () => {
    const order = await newOrder('late');
    const first = await order.offer();
    await minuteLater(16 * MINUTE_MS);
    const second = await order.offer();
    expect(second.invoice).not.toBe(first.invoice);
    await btcpay('pay', { invoice: first.invoice });
    await btcpay('confirm', { invoice: first.invoice });
    await order.status('fulfilled');
    // Nobody must pay the second offer by mistake.
    await minuteLater(16 * MINUTE_MS);
    await minuteLater(60 * MINUTE_MS);
    await minuteLater(60 * MINUTE_MS);
    const { invoices } = await shop.sandbox.control<{ invoices: { invoice: string; status: string }[] }>(
      'btcpay/ledger',
    );
    expect(invoices.find(({ invoice }) => invoice === second.invoice)!.status).toMatch(/Expired|Invalid/);
  });

  test('pays even an order that has expired', async () => {
    const order = await newOrder('much-later');
    const { invoice } = await order.offer();
    await minuteLater(DAY_MS + MINUTE_MS);
    await minuteLater();
    await order.status('expired');
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await order.status('fulfilled');
    // Nobody has the page open any more, so an email leads to the subscription.
    await emailTo(shop, order.email, /reset-password\?token=/);
  });

  // Regression: an order could be paid for ever at the price and the rate of its day.
  test('pays no order that expired two days ago, and becomes credit at the price of its day', async () => {
    const order = await newOrder('too-late');
    await btcpay('rate', { currency: 'THB', rate: '2000000' });
    const { invoice } = await order.offer();
    await minuteLater(DAY_MS + MINUTE_MS);
    await order.status('expired');
    await minuteLater(2 * DAY_MS);
    await btcpay('rate', { currency: 'THB', rate: '1000000' });
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await minuteLater();
    await minuteLater();
    const credit = await until(() => creditOf(order.email), 'the credit');
    expect(credit).toBeGreaterThan(99_00);
    expect(credit).toBeLessThan(100_00);
    await order.status('expired');
    expect(await due()).toEqual([]);
  });

  test('pays no order of an account that has ended, and raises an alert', async () => {
    const { client, email } = await signUp(shop, 'left-late@example.com');
    const order = await newOrder('left-late', client);
    const { invoice } = await order.offer();
    const statusOf = async () => {
      const { rows } = await sql<{
        status: string;
      }>`select status from shop_order where email = ${email}`.execute(shop.db);
      return rows[0]!.status;
    };
    await minuteLater(4 * DAY_MS);
    expect(await statusOf()).toBe('expired');
    const body = { email, password: PASSWORD };
    const { token } = await shop.client.auth.login({ body });
    const end = { action: 'disable' as const, currentPassword: PASSWORD };
    expect((await createClient(shop.url, token).auth.deleteAccount({ body: end })).code).toBe('0000');
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    await minuteLater();
    await minuteLater(11 * MINUTE_MS);
    expect(await statusOf()).toBe('expired');
    const { rows } = await sql`select from open_alert where kind = 'payment.unapplied' and subject in (
      select invoice.id from invoice join shop_order on shop_order.id = order_id where shop_order.email = ${email})`.execute(
      shop.db,
    );
    expect(rows).toHaveLength(1);
  });

  test('is found without a webhook event of BTCPay', async () => {
    const order = await newOrder('silent');
    const { invoice } = await order.offer();
    await shop.sandbox.fault({ provider: 'btcpay', event: '*' }, 'drop', 100);
    await minuteLater(16 * MINUTE_MS);
    await btcpay('pay', { invoice });
    await btcpay('confirm', { invoice });
    for (let hour = 0; hour < 3; hour += 1) await minuteLater(60 * MINUTE_MS);
    await order.status('fulfilled');
  });
});

test('a refund sends an email that asks for the address, and a claim sends the coins there', async () => {
  const order = await newOrder('given-back');
  const { invoice } = await order.offer();
  await btcpay('pay', { invoice });
  await btcpay('confirm', { invoice });
  await order.status('fulfilled');
  const { number } = await shop.db
    .selectFrom('invoice')
    .select('number')
    .where('reference', '=', await referenceOf(order.email))
    .executeTakeFirstOrThrow();
  const give = [number!, '--reason', 'Moved away'];
  await confirmedCommand(shop, 'refund', ...give);
  await shop.sweep();
  const { Text } = await emailTo(shop, order.email, /one step left for you/);
  const pullPayment = /pull-payments\/(\w+)/.exec(Text)![1]!;
  await btcpay('claim', { pullPayment, destination: 'bcrt1qreceiver' });
  await btcpay('payouts/settle', { pullPayment, outcome: 'Completed' });
  await minuteLater(2 * MINUTE_MS);
  const refund = await shop.db.selectFrom('refund').selectAll().executeTakeFirstOrThrow();
  expect(refund).toMatchObject({ status: 'succeeded', amount: PRICE });
});

test('BG2 coins that are a satoshi short are not asked for again: the rest is carried', async () => {
  const order = await newOrder('satoshi');
  const { payment, invoice } = await order.offer();
  const { nextAction } = payment!;
  if (nextAction.kind !== 'scan' || !nextAction.amount) throw new Error('no address is offered');
  const satoshi = Math.round(Number(nextAction.amount) * 1e8) - 1;
  await btcpay('pay', { invoice, amount: (satoshi / 1e8).toFixed(8) });
  await until(async () => (await order.state()).payment?.nextAction.kind === 'wait', 'the coins');
  await btcpay('confirm', { invoice });
  await order.status('fulfilled');
  const paid = await shop.db
    .selectFrom('invoice')
    .select(['status', 'carried_out'])
    .where('reference', '=', await referenceOf(order.email))
    .executeTakeFirstOrThrow();
  expect(paid).toEqual({ status: 'paid', carried_out: 1 });
});

// Regression: as long as a guest had no account, each of their orders could be short.
test('BG2 of orders of one guest that are paid at once, all short, only as many are carried as a customer may owe', async () => {
  const orders = await Promise.all([1, 2, 3, 4].map(() => newOrder('short-guest')));
  // The price that the shop has learnt in the first test: 294 satoshi, its least amount, are THB 6.90.
  await btcpay('rate', { currency: 'THB', rate: '2345678' });
  const invoices: string[] = [];
  for (const order of orders) {
    const { payment, invoice } = await order.offer();
    const { nextAction } = payment!;
    if (nextAction.kind !== 'scan' || !nextAction.amount) throw new Error('no address is offered');
    const satoshi = Math.round(Number(nextAction.amount) * 1e8) - 290;
    await btcpay('pay', { invoice, amount: (satoshi / 1e8).toFixed(8) });
    invoices.push(invoice);
    shop.clock.advance(1000);
  }
  await Promise.all(invoices.map(invoice => btcpay('confirm', { invoice })));
  await minuteLater();
  await btcpay('rate', { currency: 'THB', rate: '1000000' });
  const { rows } = await sql<{ carried: number[] }>`
    select array_agg(carried_out::int order by carried_out) as carried from invoice
    join shop_order on shop_order.id = order_id where shop_order.email = 'short-guest@example.com'`.execute(
    shop.db,
  );
  expect(rows[0]!.carried).toEqual([0, 0, 6_80, 6_80]);
});

test('a double-spent payment delivers nothing, and the order can be paid again', async () => {
  const order = await newOrder('double');
  const { invoice } = await order.offer();
  await btcpay('pay', { invoice });
  await until(async () => (await order.state()).payment?.nextAction.kind === 'wait', 'the coins');
  await btcpay('doubleSpend', { invoice });
  const { payment } = await order.state();
  expect(payment?.nextAction).toMatchObject({ kind: 'scan' });
  expect(payment?.nextAction).not.toHaveProperty('arrived');
  await btcpay('pay', { invoice });
  await btcpay('confirm', { invoice });
  await order.status('fulfilled');
});

test("X25 BTCPay's receipts and refunds are in the books, and others are found", async () => {
  const { token, storeId, webhook } = shop.sandbox.btcpay;
  const client = openBtcpay({ url: shop.sandbox.url, token, storeId, webhookSecrets: [webhook.secret] });
  const differences = () =>
    compareGateway(shop.db, createBtcpayBooks(client), shop.clock.now()).then(({ found }) => found);
  expect(await differences()).toEqual([]);
  const { id: invoice } = await client.askStore(z.object({ id: z.string() }), 'invoices', {
    amount: '5.00',
    currency: 'THB',
    checkout: { paymentMethods: ['BTC-CHAIN'] },
  });
  await btcpay('pay', { invoice });
  expect(await differences()).toEqual([]);
  await btcpay('confirm', { invoice });
  expect(await differences()).toMatchObject([
    { name: 'X25 payments at btcpay', rows: [{ ref: invoice, received: 500 }] },
    { name: 'X20 balance at btcpay' },
  ]);
  // BTCPay names a refund from an invoice's page after that invoice.
  const { id: pull } = await client.askStore(z.object({ id: z.string() }), `invoices/${invoice}/refund`, {
    name: `Refund ${invoice}`,
    description: '',
    payoutMethodId: 'BTC-CHAIN',
    refundVariant: 'Custom',
    customAmount: '5.00',
    customCurrency: 'THB',
  });
  const books = createBtcpayBooks(client);
  const there = { paymentRef: invoice, currency: 'THB', amount: 5_00, state: 'pending' };
  expect([await books.refund(pull), await books.refund('none')]).toEqual([there, undefined]);
});

test('a chain that is replaced after the delivery raises an alert', async () => {
  const order = await newOrder('reorganised');
  const { invoice } = await order.offer();
  await btcpay('pay', { invoice });
  await btcpay('confirm', { invoice });
  await order.status('fulfilled');
  await btcpay('reorganise', { invoice });
  await btcpay('doubleSpend', { invoice });
  await minuteLater();
  const { rows } = await sql<{ subject: string }>`
    select subject from open_alert where kind = 'payment.gone'`.execute(shop.db);
  expect(rows).toHaveLength(1);

  // What is gone is not refunded. Once its loss is booked, our books are BTCPay's again.
  const { number } = await shop.db
    .selectFrom('invoice')
    .select('number')
    .where('reference', '=', await referenceOf(order.email))
    .executeTakeFirstOrThrow();
  const refused = await shopCommand(shop, 'refund', number!, '--reason', 'Moved away').catch(String);
  expect(JSON.stringify(refused)).toContain('book that first');
  const loss = [rows[0]!.subject, '--write-off', '--reason', 'A longer chain'];
  await confirmedCommand(shop, 'refund', ...loss);
  const { Text } = await emailTo(shop, order.email, /Credit note/);
  expect(Text).toContain('The bitcoin network undid the payment');
  const { token, storeId, webhook } = shop.sandbox.btcpay;
  const client = openBtcpay({ url: shop.sandbox.url, token, storeId, webhookSecrets: [webhook.secret] });
  const { found } = await compareGateway(shop.db, createBtcpayBooks(client), shop.clock.now());
  // A payment of an earlier test is of nobody.
  const strange = JSON.stringify(found.map(({ rows }) => rows));
  expect(strange).not.toContain(invoice);
  expect((await shopCommand(shop, 'refund', ...loss)).stderr).toContain('no coins of');
});

test('another payment method closes the address, unless coins are on their way', async () => {
  const order = await newOrder('changes');
  const { invoice } = await order.offer();
  expect((await order.byCard()).data?.payment).toMatchObject({ method: 'card' });
  const again = await order.offer();
  expect(again.invoice).not.toBe(invoice);
  await btcpay('pay', { invoice: again.invoice });
  await until(async () => (await order.state()).payment?.nextAction.kind === 'wait', 'the coins');
  // A customer who presses Pay by card now reads that their coins are on their way.
  expect((await order.byCard()).data?.payment).toMatchObject({
    method: 'bitcoin',
    nextAction: { kind: 'wait' },
  });
  await btcpay('confirm', { invoice: again.invoice });
  await order.status('fulfilled');
});
