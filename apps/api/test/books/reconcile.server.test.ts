import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beginOrder, cardPaymentOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '../../src/adapters/btcpay/rights.ts';
import { checkDatabase, compareGateway } from '../../src/modules/books/index.ts';
import { shopCommand } from '../helpers/shop-command.ts';

/** Hourly comparison with each provider, both ways (X9). */
const HOUR_MS = 60 * 60_000;
const GUIDE = new URL('../../../../docs/operate/payments.md', import.meta.url);
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
  await shop.customer('buyer');
  await hourLater();
});
afterAll(() => shop?.stop());

async function hourLater(): Promise<void> {
  shop.clock.advance(HOUR_MS + 60_000);
  await shop.sweep();
}
const alerts = async () =>
  (
    await shop.db
      .selectFrom('open_alert')
      .select(['subject', 'times'])
      .where('kind', '=', 'provider.differs')
      .orderBy('subject')
      .execute()
  ).map(({ subject, times }) => [subject, times]);
const changeFee = async (satang: number) =>
  (
    await sql`update attempt set fee = fee + ${satang} where id =
      (select id from attempt where status = 'succeeded' order by created_at desc limit 1) returning provider_ref`.execute(
      shop.db,
    )
  ).rows;

test('equal books raise no alert', async () => {
  expect(await alerts()).toEqual([]);
});

test('X9 money without an attempt raises one alert, which stays open', async () => {
  const stray = await shop.stripe.paymentIntents.create({
    amount: 12_300,
    currency: 'thb',
    confirm: true,
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
  });
  await hourLater();
  expect(await alerts()).toEqual([[`stripe ${stray.id}`, 1]]);
  await hourLater();
  expect(await alerts()).toEqual([[`stripe ${stray.id}`, 2]]);
  // It stays open after the compared window has passed.
  shop.clock.advance(6 * 24 * HOUR_MS);
  await hourLater();
  expect(await alerts()).toEqual([[`stripe ${stray.id}`, 3]]);
});

test('payments check shows what is set up at each provider, and what is missing', async () => {
  expect(await shopCommand(shop, 'payments', 'check')).toEqual({
    code: 0,
    stdout: `${[
      ...[
        'STRIPE_SECRET',
        'STRIPE_PUB',
        'account',
        'card_payments',
        'promptpay_payments',
        'clock',
        'rights',
      ].map(stripe),
      ...['webhook events', 'webhook version', ADDRESS].map(stripe),
      ...[
        'PAYPAL_SECRET',
        'webhook',
        'webhook events',
        'PAYPAL_RECURRING',
        'Transaction Search',
        'clock',
        'Disputes',
        ADDRESS,
      ].map(about => `paypal  ${about}: ok`),
      ...[
        'BTCPAY_TOKEN',
        'version',
        'node',
        'clock',
        'rights',
        'wallet',
        'webhook',
        'webhook events',
        'webhook redelivery',
        'rate in THB',
        'rate in USD',
        ADDRESS,
      ].map(about => `btcpay  ${about}: ok`),
    ].join('\n')}\nAll is well.\n`,
    stderr: '',
  });
  const settings = { ...shop.sandbox.settings, STRIPE_SECRET: 'sk_test_of_nobody' };
  const nobodys = { ...shop.sandbox.settings, STRIPE_PUB: 'pk_test_of_nobody' };
  const unpayable = { ...shop, sandbox: { ...shop.sandbox, settings: nobodys } };
  expect((await shopCommand(unpayable, 'payments', 'check')).stdout).toContain(
    'stripe  STRIPE_PUB: Stripe does not know it: nobody can pay\n',
  );
  const wrong = { ...shop.sandbox, settings: { ...settings, PAYPAL_SECRET: 'of-nobody' } };
  expect((await shopCommand({ ...shop, sandbox: wrong }, 'payments', 'check')).stdout).toContain(
    'paypal  PAYPAL_SECRET: PayPal does not know id and secret\n',
  );
  const sandbox = { ...shop.sandbox, settings };
  // The sandbox answers there, but is no shop.
  const { origin: url, host } = new URL(shop.sandboxUrl);
  const elsewhere = await shopCommand({ ...shop, sandbox, url }, 'payments', 'check');
  expect(elsewhere).toMatchObject({ code: 1 });
  expect(elsewhere.stdout).toContain('stripe  STRIPE_SECRET: Stripe does not know STRIPE_SECRET\n');
  expect(elsewhere.stdout).toMatch(
    new RegExp(`paypal {2}webhook: goes to .*/webhooks/paypal, not to .*${host}`),
  );
  expect(elsewhere.stdout).toMatch(new RegExp(`btcpay {2}webhook: no enabled webhook for .*${host}`));
  expect(elsewhere.stdout).toMatch(
    new RegExp(`webhook address, tried from this machine: .*${host}.* answers 4\\d\\d, unlike the shop`),
  );
});

test('OP2 the check asks all providers and addresses at once, so that what does not answer is waited for once', async () => {
  const waiting: ServerResponse[] = [];
  // It answers nobody before everybody has asked.
  const patient = createServer((_, answer) => {
    if (waiting.push(answer) === 3) for (const each of waiting) each.writeHead(400).end();
  });
  await once(patient.listen(0, '127.0.0.1'), 'listening');
  const { port } = patient.address() as AddressInfo;
  const { stdout } = await shopCommand({ ...shop, url: `http://127.0.0.1:${port}` }, 'payments', 'check');
  patient.close();
  for (const provider of ['stripe', 'paypal', 'btcpay'])
    expect(stdout).toContain(`${provider}  ${ADDRESS}: ok\n`);
});

test('the check names each missing right of a key, and continues', async () => {
  const without = async (provider: 'stripe' | 'paypal' | 'btcpay', path: string) => {
    await shop.sandbox.fault({ provider, path: `GET ${path}` }, '403', 1);
    const checked = await shopCommand(shop, 'payments', 'check');
    await shop.sandbox.calm();
    expect(checked.code, path).toBe(1);
    return checked.stdout;
  };
  await shop.sandbox.fault({ path: 'GET /v1/setup_intents' }, '403', 1);
  const two = await without('stripe', '/v1/balance_transactions');
  expect(two).toContain('stripe  rights: STRIPE_SECRET may not read SetupIntents, Balance transactions\n');
  expect(two).toContain('stripe  webhook events: ok\n');
  expect(two).toContain('paypal  PAYPAL_SECRET: ok\n');
  expect(await without('stripe', '/v1/webhook_endpoints')).toContain(
    'stripe  webhook: STRIPE_SECRET may not read Webhook endpoints: not checked\n',
  );
  expect(await without('paypal', '/v1/customer/disputes')).toContain(
    'paypal  Disputes: the app at PayPal lacks this feature (403)\n',
  );
});

test('a BTCPay key made as the guide says passes the check; a missing right is named', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const listed = guide.match(/^ *btcpay\.store\.\S+$/gm)!.map(line => line.trim());
  expect(listed).toEqual(RIGHTS);
  const store = shop.sandbox.btcpay.storeId;
  const checkedWith = async (rights: string[]) => {
    await shop.sandbox.control('btcpay/rights', { rights: rights.map(right => `${right}:${store}`) });
    return shopCommand(shop, 'payments', 'check');
  };
  const [first, ...rest] = listed;
  const missing = await checkedWith(rest);
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain(`btcpay  rights: BTCPAY_TOKEN lacks for this store: ${first}\n`);
  expect(missing.stdout).toContain('wallet: the key may not look (canviewstoresettings): not checked\n');
  expect(await checkedWith(listed)).toMatchObject({ code: 0 });
});
const ADDRESS = 'webhook address, tried from this machine';
const stripe = (about: string) => `stripe  ${about}: ok`;

test('X9 a difference of one satang raises an alert until it is gone', async () => {
  const [{ provider_ref }] = (await changeFee(1)) as [{ provider_ref: string }];
  await hourLater();
  expect(await alerts()).toContainEqual([`stripe ${provider_ref}`, 1]);
  await changeFee(-1);
  await hourLater();
  expect(await alerts()).not.toContainEqual([`stripe ${provider_ref}`, expect.anything()]);
});

// No scheduled task polls an attempt that was given up.
test('X9 FM1 a payment of a closed attempt counts, also without a webhook event', async () => {
  const { consent, metadata } = await beginOrder(shop.client);
  const { data } = await shop.client.order.purchase({
    body: { ...consent, email: 'closed@example.com', language: 'en' },
  });
  await shop.sandbox.fault({ event: '*' }, 'drop', 100);
  await confirmCard(shop, cardPaymentOf(data));
  await shop.db
    .updateTable('attempt')
    .set({ status: 'closed', ask_at: null })
    .where('status', '=', 'open')
    .execute();
  await hourLater();
  await shop.sandbox.calm();
  const status = async () =>
    (await shop.client.order.purchaseData({ body: { metadata } })).data?.status === 'fulfilled';
  await until(status, 'the order');
});

test('X9 an attempt that is closed here and payable there is closed there', async () => {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, email: 'open-there@example.com', language: 'en' as const };
  const ref = cardPaymentOf((await shop.client.order.purchase({ body })).data);
  await shop.db
    .updateTable('attempt')
    .set({ status: 'closed', ask_at: null })
    .where('provider_ref', '=', ref)
    .execute();
  await hourLater();
  expect((await shop.stripe.paymentIntents.retrieve(ref)).status).toBe('canceled');
  expect(await alerts()).not.toContainEqual([`stripe ${ref}`, expect.anything()]);
});

test('X9 M17 a dispute without a webhook event is booked within the hour; one of a foreign payment raises an alert', async () => {
  const taken = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('status', '=', 'succeeded')
    .where('method', '=', 'card')
    .executeTakeFirstOrThrow();
  const [stray] = (await alerts()).map(([subject]) => String(subject).split(' ')[1]);
  await shop.sandbox.fault({ event: '*' }, 'drop', 100);
  const open = (payment_intent: string | null | undefined) =>
    shop.sandbox.control<{ id: string }>('disputes/open', { payment_intent });
  const [ours, theirs] = [await open(taken.provider_ref), await open(stray)];
  await hourLater();
  await shop.sandbox.calm();
  const booked = await shop.db.selectFrom('dispute').select(['provider_ref', 'status']).execute();
  expect(booked).toEqual([{ provider_ref: ours.id, status: 'open' }]);
  const subjects = (await alerts()).map(([subject]) => subject);
  expect(subjects).toContain(`stripe ${theirs.id}`);
  expect(subjects).not.toContain(`stripe ${ours.id}`);
});

test('X9 P21 an expired QR code is not payable', async () => {
  const { consent } = await beginOrder(shop.client);
  const body = {
    ...consent,
    paymentMethod: 'promptpay' as const,
    email: 'run-out@example.com',
    language: 'en' as const,
  };
  await shop.client.order.purchase({ body });
  const { id, provider_ref } = await shop.db
    .selectFrom('attempt')
    .select(['id', 'provider_ref'])
    .where('method', '=', 'promptpay')
    .executeTakeFirstOrThrow();
  await shop.sandbox.control('promptpay/expire', { intent: provider_ref });
  await until(async () => {
    const row = await shop.db
      .selectFrom('attempt')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.status === 'closed';
  }, 'the closed attempt');
  await hourLater();
  expect(await alerts()).not.toContainEqual([`stripe ${provider_ref}`, expect.anything()]);
});

test('X9 M17 the end of a dispute without a webhook event is booked within the hour', async () => {
  const dispute = () => shop.db.selectFrom('dispute').select(['provider_ref', 'status']).execute();
  const { provider_ref } = (await dispute())[0]!;
  await shop.sandbox.fault({ event: '*' }, 'drop', 100);
  await shop.sandbox.control('disputes/close', { dispute: provider_ref, outcome: 'won' });
  await hourLater();
  await shop.sandbox.calm();
  expect(await dispute()).toEqual([{ provider_ref, status: 'won' }]);
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});

test('an unreachable provider is retried, and delays no other', async () => {
  const due = () =>
    shop.db.selectFrom('reconciliation').select(['provider', 'due_at']).orderBy('provider').execute();
  const before = await due();
  expect(before.map(({ provider }) => provider)).toEqual(['btcpay', 'paypal', 'stripe']);
  await shop.sandbox.fault({ provider: 'paypal', path: 'GET /v1/reporting/transactions' }, '500', 1);
  await hourLater();
  await until(
    async () => (await due()).every(({ due_at }) => due_at > shop.clock.now()),
    'all were compared',
  );
  expect((await shop.sandbox.struck())['500']).toBe(1);
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});

// Before the next test, which advances the clocks by more than a week: commands use the system clock.
test('X20 a provider with a limited history is compared as far as it goes, and books says so', async () => {
  const booksOfShop = async (years: number) => {
    const created_at = new Date(shop.clock.now().getTime() - years * 365 * 24 * HOUR_MS);
    await shop.db
      .insertInto('gateway_customer')
      .values({ id: 'pay_first', provider: 'paypal', created_at })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ created_at }))
      .execute();
    return (await shopCommand(shop, 'books')).stdout;
  };
  const told = await booksOfShop(4);
  expect(told).toMatch(/paypal: its records begin on \d{4}-/);
  expect(told).not.toMatch(/paypal (does not answer|refuses)/);
  expect(await booksOfShop(2)).not.toContain('its records begin on');
  await shop.db.deleteFrom('gateway_customer').where('id', '=', 'pay_first').execute();
});

test('X20 an old movement of a balance is found within a week, and its alert resolves once both agree', async () => {
  const subjects = async () =>
    (
      await shop.db
        .selectFrom('open_alert')
        .select('subject')
        .where('kind', '=', 'provider.balance')
        .execute()
    ).map(({ subject }) => subject);
  const move = (txn: string, by: number) =>
    sql`insert into ledger_entry (txn, position, account, provider, currency, amount, created_at) values
      (${txn}, 0, 'provider', 'paypal', 'THB', ${by}, now()), (${txn}, 1, 'goodwill', null, 'THB', ${-by}, now())`.execute(
      shop.db,
    );
  await move('moved:1', 100);
  await hourLater();
  expect(await subjects()).toEqual([]);
  shop.clock.advance(7 * 24 * HOUR_MS);
  await hourLater();
  expect(await subjects()).toContain('paypal X20 balance at paypal');
  await move('moved:2', -100);
  shop.clock.advance(24 * HOUR_MS);
  await hourLater();
  expect(await subjects()).not.toContain('paypal X20 balance at paypal');
});

test('X9 FM9 money declared foreign is no difference any more, including the balance', async () => {
  const intent = await shop.stripe.paymentIntents.create({
    amount: 78_900,
    currency: 'thb',
    confirm: true,
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
  });
  const refund = await shop.stripe.refunds.create({ payment_intent: intent.id });
  await hourLater();
  const open = async () => (await alerts()).map(([subject]) => subject);
  const named = [`stripe ${intent.id}`, `stripe ${refund.id}`];
  expect(await open()).toEqual(expect.arrayContaining(named));
  const foreign = (...args: string[]) => shopCommand(shop, 'payments', 'foreign', ...args);
  const why = ['--reason', 'A test at the dashboard'];
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .select('provider_ref')
    .where('status', '=', 'succeeded')
    .where('method', '=', 'card')
    .executeTakeFirstOrThrow();
  for (const [args, says] of [
    [['stripe', provider_ref!, ...why], /is att_\w+ of this shop: not unrelated/],
    [['visa', intent.id, ...why], /PROVIDER is stripe, paypal, btcpay/],
    [['stripe', ...why], /REF is missing/],
    [['stripe', intent.id], /--reason is missing/],
    [['stripe', intent.id, '--reason', 'of 4242 4242 4242 4242'], /card number/],
  ] as const) {
    const refused = await foreign(...args);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringMatching(says)]);
  }
  // A repetition changes nothing.
  for (const ref of [intent.id, intent.id, refund.id]) {
    expect(await foreign('stripe', ref, ...why)).toMatchObject({ code: 0 });
  }
  expect((await open()).filter(subject => named.includes(String(subject)))).toEqual([]);
  await hourLater();
  expect((await open()).filter(subject => named.includes(String(subject)))).toEqual([]);
  const { stdout } = await shopCommand(shop, 'books');
  expect([stdout.includes(intent.id), stdout.includes(refund.id)]).toEqual([false, false]);
});

test('X9 the first comparison after a pause of days covers all of them', async () => {
  const stray = await shop.stripe.paymentIntents.create({
    amount: 45_600,
    currency: 'thb',
    confirm: true,
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
  });
  await shop.db.deleteFrom('alert').where('kind', '=', 'provider.differs').execute();
  shop.clock.advance(10 * 24 * HOUR_MS);
  await shop.sweep();
  expect(await alerts()).toContainEqual([`stripe ${stray.id}`, 1]);
});

test('X9 among thousands of attempts of one moment the one that is missing at the provider is found', async () => {
  const many = Array.from({ length: 4_500 }, (_, index) => `pi_many_${index}`);
  await sql`insert into attempt select (jsonb_populate_record(one, jsonb_build_object(
      'id', 'att_' || ref, 'attempt_no', 100 + n, 'provider_ref', ref, 'charge_ref', null, 'unapplied', one.received))).*
    from attempt one, unnest(${many}::text[]) with ordinality as named (ref, n)
    where one.id = (select id from attempt where method = 'card' and status = 'succeeded' limit 1)`.execute(
    shop.db,
  );
  const { currency, received, fee } = await shop.db
    .selectFrom('attempt')
    .selectAll()
    .where('provider_ref', '=', many[0]!)
    .executeTakeFirstOrThrow();
  const lost = 'pi_many_3000';
  const payments = many
    .filter(ref => ref !== lost)
    .map(ref => ({ ref, currency, received, net: received - fee! }));
  const read = async () => ({ payments, refunds: [], disputes: [], movements: [] });
  const { found } = await compareGateway(
    shop.db,
    {
      provider: 'stripe',
      methods: ['card', 'promptpay'],
      payments: read,
      read,
      refund: async () => undefined,
      refundsOf: async () => [],
    },
    shop.clock.now(),
  );
  const differing = found
    .filter(({ name }) => name === 'X25 payments at stripe')
    .flatMap(({ rows }) => rows.filter(({ ref }) => many.includes(String(ref))));
  expect(differing).toMatchObject([{ ref: lost, why: 'not at the gateway' }]);
});
