import { createHmac } from 'node:crypto';
import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { CARD, type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import { isRefusal, NamedFault } from '../../src/kernel/refusal.ts';
import { closeAttempt } from '../../src/modules/payment/attempt/close-attempt.ts';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import { askOwnInvoice, payInvoice } from '../../src/modules/payment/attempt/pay-invoice.ts';
import { savedMethodsOf } from '../../src/modules/payment/index.ts';
import { payByLink, payTokenFor, readLinkedInvoice } from '../../src/modules/payment/pay-link/index.ts';
import { shopRecords } from '../../src/modules/payment/shop-records.ts';
import type { CardCalls, PaymentMethod, Reported } from '../../src/ports/payment-gateway.ts';

/** Manual payments of a customer, also when an answer is lost, on inserted rows. */
let payments: GivenPayments;
beforeEach(async () => {
  payments = await givenPayments();
});
afterEach(() => payments?.invoices.hosts.stop());

const caller = (customerId: string, work = 8) =>
  ({ customerId, network: '203.0.113.0/24', deviceCookie: 'a browser', work }) as unknown as Caller & {
    customerId: string;
  };
const press = (
  invoiceId: string,
  chosen: { paymentMethod?: PaymentMethod; card?: string } = {},
  by = caller(payments.invoices.owner.customerId),
) => {
  const { paymentMethod = 'card', card } = chosen;
  return payments.run(() =>
    payInvoice(payments.deps, { invoiceId, paymentMethod, ...(card && { card }) }, by),
  );
};
const payLinkSeal = (text: string) => createHmac('sha256', 'a key').update(text).digest();
const linkDeps = () => ({ ...payments.deps, payLinkSeal, methods: async () => [] });
const pressByLink: typeof press = (invoiceId, { paymentMethod = 'card', card } = {}) => {
  const body = { paymentMethod, ...(card && { card }) };
  return payments.run(() =>
    payByLink(linkDeps(), payTokenFor(payLinkSeal, invoiceId), body, caller('somebody')),
  );
};
const readInvoice = (invoiceId: string, customerId = payments.invoices.owner.customerId) =>
  payments.run(() => askOwnInvoice(payments.deps, customerId, invoiceId));
const unreachable = (answered: boolean) => Object.assign(new NamedFault('providerUnreachable'), { answered });
const succeeded = { state: 'succeeded' as const, received: PRICE };
/** Sets the provider's answer about an attempt, and polls it. */
async function follow(number: number, said: Pick<Reported, 'ref' | 'state' | 'received'>): Promise<void> {
  const attempt = await payments.attempt(number);
  const { currency, amount } = attempt;
  await payments.run(() => followPayment(payments.deps, attempt, { currency, amount, ...said }));
}
/** Makes the page's cards valid until `expiryYear`, with this answer to a payment. */
function takeCards(expiryYear: number, reported: Partial<Reported>) {
  const cards = {
    read: async (ref: string) => ({ ...CARD, ref, expiryYear }),
    pay: async ({ number, currency, amount }: { number: number; currency: string; amount: number }) => ({
      ref: `card_${number}`,
      state: 'open',
      currency,
      amount,
      received: 0,
      ...reported,
    }),
  };
  Object.assign(payments.card.gateway, { cards: cards as unknown as CardCalls });
}

test("a customer pays their own open invoice; a draft, another customer's and an unknown one are not found, a closed one shows its state", async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  const first = await press(id);
  const nextAction = { kind: 'card', ref: 'pi_1' };
  expect(first).toEqual({ status: 'open', payment: { method: 'card', nextAction } });
  expect(await press(id)).toEqual(first);
  expect(await readInvoice(id)).toEqual(first);
  const { customerId: stranger } = await payments.invoices.hosts.subscription();
  const draft = await payments.invoices.draftInvoice();
  for (const answer of [
    ...[await press(id, {}, caller(stranger)), await press(draft), await press('inv_none')],
    ...[await readInvoice(id, stranger), await readInvoice(draft), await readInvoice('inv_none')],
  ])
    expect(isRefusal(answer)).toBe(true);
  await payments.invoices.pay(id);
  expect([await press(id), await readInvoice(id)]).toEqual([{ status: 'paid' }, { status: 'paid' }]);
});

test('a typed card is read and pays, or states the reason of its decline; after too many tries it needs a proof of work', async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  takeCards(2020, {});
  expect(await press(id, { card: 'pm_old' })).toMatchObject({
    data: { fields: { card: 'form.cardExpiry.past' } },
  });
  expect(payments.card.calls).toEqual([]);
  takeCards(2040, { state: 'failed', decline: 'incorrect_cvc' });
  const refused = { status: 'open', failure: '2002' };
  expect(await press(id, { card: 'pm_1' })).toEqual({ ...refused, cause: expect.any(String) });
  Object.assign(payments.card.answers, { state: 'failed' });
  expect(await readInvoice(id)).toEqual(refused);
  Object.assign(payments.card.answers, { state: 'open' });
  const { limits } = payments.deps;
  const many = async (...names: string[]) => names.map(() => ({ count: 1000, endsIn: 60 }));
  Object.assign(limits, { read: many });
  const unproved = caller(payments.invoices.owner.customerId, 0);
  expect(isRefusal(await press(id, { card: 'pm_1' }, unproved))).toBe(true);
  takeCards(2040, succeeded);
  expect(await press(id, { card: 'pm_2' })).toEqual({ status: 'paid' });
  Object.assign(payments.card.gateway, { takes: () => false });
  const { id: next } = (await payments.invoices.renewalInvoice({ months: 1 }))!;
  expect(isRefusal(await press(next))).toBe(true);
});

test("a part payment is shown beside the offer, with the offer's expiry", async () => {
  const { id } = (await payments.invoices.renewalInvoice())!;
  const expiresAt = new Date(payments.invoices.now().getTime() + 900_500).toISOString();
  const nextAction = {
    kind: 'scan' as const,
    text: 'bitcoin:1',
    amount: '1',
    unit: 'BTC' as const,
    expiresAt,
  };
  payments.bitcoin.answers.nextAction = nextAction;
  const scan = (endsIn: number, more = {}) => ({
    status: 'open',
    payment: { method: 'bitcoin', nextAction, endsIn, ...more },
  });
  expect(await press(id, { paymentMethod: 'bitcoin' })).toEqual(scan(900));
  await follow(1, { ref: 'bitcoin_1', state: 'succeeded', received: 50_00 });
  const prepaid = { currency: 'THB', amount: 50_00 };
  expect(await press(id, { paymentMethod: 'bitcoin' })).toEqual(scan(900, { prepaid }));
  payments.invoices.hosts.clock.advance(901_000);
  expect(await readInvoice(id)).toEqual(scan(0, { prepaid }));
});

test.each([
  ['its customer', press],
  ['its link', pressByLink],
])(
  'an invoice that another payment pays at this moment is paid, whatever the bank answers to %s',
  async (_, pays) => {
    const { id } = (await payments.invoices.renewalInvoice())!;
    await pays(id, { paymentMethod: 'bitcoin' });
    takeCards(2040, { state: 'failed', decline: 'incorrect_cvc' });
    const cards = payments.card.gateway.cards!;
    const { pay } = cards;
    // Coins to an address that was closed.
    const payLate: CardCalls['pay'] = async (...asked) => {
      await follow(1, { ref: 'bitcoin_1', ...succeeded });
      return pay(...asked);
    };
    Object.assign(cards, { pay: payLate });
    expect(await pays(id, { card: 'pm_1' })).toEqual({ status: 'paid' });
    expect((await payments.attempt(2)).failure).toBe('cardDeclined');
  },
);

test('U78 no link opens a draft, or what a guest has paid', async () => {
  const draft = await payments.invoices.draftInvoice();
  await payments.invoices.hosts.subscription();
  const guests = await payments.invoices.draftInvoice(null, 'ord_2');
  await payments.invoices.pay(guests);
  for (const id of [draft, guests]) {
    const token = payTokenFor(payLinkSeal, id);
    const read = await payments.run(() => readLinkedInvoice(linkDeps(), token));
    expect([read, await pressByLink(id)]).toEqual(Array(2).fill({ refusal: 'tokenInvalid' }));
  }
});

test('FM1 a lost answer is queried with the same key; an error is retried once with another', async () => {
  const id = await payments.invoices.draftInvoice();
  const { start } = payments.card.gateway;
  const keys: string[] = [];
  const fail = (answered: boolean) => {
    payments.card.gateway.start = async attempt => {
      keys.push(attempt.key.replace(attempt.id, ''));
      throw unreachable(answered);
    };
  };
  // A payment that was never created is not found.
  payments.card.answers.unknown = true;
  fail(false);
  for (let n = 0; n < 2; n += 1) await expect(payments.openPayment(id)).rejects.toThrow();
  expect(keys).toEqual(['-1', '-1']);
  fail(true);
  await expect(payments.openPayment(id)).rejects.toThrow();
  expect(keys).toEqual(['-1', '-1', '-1', '-2']);
  payments.card.gateway.start = start;
  expect(await payments.openPayment(id)).toBeDefined();
  expect(await payments.attempts()).toHaveLength(1);
});

test('a payment that was never sent is closed without a call; one that may exist is searched and closed by its name', async () => {
  const id = await payments.invoices.draftInvoice();
  Object.assign(payments.card.gateway, {
    createGatewayCustomer: async () => {
      throw unreachable(false);
    },
  });
  await expect(payments.openPayment(id)).rejects.toThrow();
  await payments.openPayment(id, 'bitcoin');
  expect(payments.card.calls).toEqual([]);
  expect((await payments.attempt()).status).toBe('closed');

  Object.assign(payments.card.gateway, { createGatewayCustomer: undefined });
  const { start, close } = payments.card.gateway;
  payments.card.gateway.start = async () => {
    throw unreachable(false);
  };
  await expect(payments.openPayment(id)).rejects.toThrow();
  payments.card.gateway.start = start;
  payments.card.answers.unknown = true;
  await payments.openPayment(id, 'bitcoin');
  expect(payments.card.calls).toEqual(['ask 3', 'start 3', 'close 3']);
  expect(await payments.attempt(3)).toMatchObject({ status: 'closed', provider_ref: 'card_3' });

  payments.card.answers.unknown = false;
  await payments.openPayment(id);
  payments.card.gateway.close = async () => 'unknown';
  await expect(payments.openPayment(id, 'bitcoin')).rejects.toThrow();
  expect((await payments.attempt(5)).status).toBe('open');
  payments.card.gateway.close = close;
});

test('a payment that is refused while it is created is replaced, but not endlessly; an ended account pays nothing', async () => {
  const id = await payments.invoices.draftInvoice();
  Object.assign(payments.card.answers, { state: 'failed', decline: 'generic_decline' });
  await expect(payments.openPayment(id)).rejects.toThrow();
  expect(await payments.attempts()).toHaveLength(4);
  Object.assign(payments.deps, { holdActive: async () => false });
  expect(await payments.openPayment(id)).toBeUndefined();
  expect(await payments.attempts()).toHaveLength(4);
});

test('a payment that only our call captures is closed by us, after its provider was asked where it may be captured', async () => {
  const id = await payments.invoices.draftInvoice();
  await payments.openPayment(id, 'paypal');
  await payments.run(async () => closeAttempt(payments.deps, await payments.attempt()));
  // Also by a worker that knew it as open.
  await payments.run(async () =>
    closeAttempt(payments.deps, { ...(await payments.attempt()), status: 'open' }),
  );
  expect(payments.paypal.calls).toEqual(['start 1']);
  expect((await payments.attempt()).status).toBe('closed');
  for (const [number, state, received] of [
    [2, 'open', 0],
    [3, 'approved', 0],
    [4, 'succeeded', PRICE],
  ] as const) {
    Object.assign(payments.paypal.answers, { state: 'open', received: 0 });
    await payments.openPayment(id, 'paypal');
    const taking = { status: 'processing', updated_at: new Date(0) } as const;
    const of = payments.invoices.hosts.all.updateTable('attempt').where('attempt_no', '=', number);
    await of.set(taking).execute();
    Object.assign(payments.paypal.answers, { state, received });
    await payments.run(async () => closeAttempt(payments.deps, await payments.attempt(number)));
    expect(payments.paypal.calls.at(-1)).toBe(`ask ${number}`);
    expect((await payments.attempt(number)).status).toBe(state === 'succeeded' ? 'succeeded' : 'closed');
  }
  expect((await payments.invoices.invoiceRow(id)).status).toBe('paid');
});

test('FM11 a payer is one gateway customer at each provider, and a guest one per invoice', async () => {
  await payments.invoices.hosts.subscription();
  const guest = await payments.invoices.draftInvoice(null, 'ord_2');
  for (const method of ['card', 'bitcoin', 'card'] as const) await payments.openPayment(guest, method);
  const [first, other, again] = (await payments.attempts()).map(
    ({ gateway_customer_id }) => gateway_customer_id,
  );
  expect(first).not.toBe(other);
  expect(again).not.toBe(other);
  await payments.run(async () => closeAttempt(payments.deps, await payments.attempt(3)));
  await payments.openPayment(guest);
  expect((await payments.attempt(4)).gateway_customer_id).toBe(again);
  for (const id of [await payments.invoices.draftInvoice(), (await payments.invoices.renewalInvoice())!.id]) {
    Object.assign(payments.card.answers, { ref: `of ${id}` });
    await payments.openPayment(id);
  }
  const own = payments.invoices.hosts.all
    .selectFrom('gateway_customer')
    .select('id')
    .where('customer_id', '=', payments.invoices.owner.customerId);
  expect(await own.execute()).toHaveLength(1);
});

test('a customer takes their saved methods with their consent along; staff can read the expected state of money', async () => {
  await payments.saveCard();
  const { cards, paypalAccounts } = await payments.invoices.read(db =>
    savedMethodsOf(db, payments.invoices.owner.customerId),
  );
  expect(cards).toMatchObject([
    { last4: '4242', consent: { text: 'yes' }, consentedAt: payments.invoices.now().toISOString() },
  ]);
  expect(paypalAccounts).toEqual([]);
  Object.assign(payments.card.answers, { ...succeeded, received: PRICE + 5_00 });
  await payments.openPayment(await payments.invoices.draftInvoice());
  const [{ id: attempt, seen }, [refund]] = [await payments.attempt(), await payments.refunds()];
  expect(seen).toBe(PRICE + 5_00);
  expect(await payments.invoices.read(db => shopRecords(db))).toMatchObject({
    [attempt]: `succeeded, THB ${PRICE + 5_00} received`,
    [refund!.id]: `created, THB ${5_00}`,
  });
});
