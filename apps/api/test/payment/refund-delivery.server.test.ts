import { PRICE } from '@fixpoint/testkit/given/invoices.ts';
import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { personal } from '../../src/compose/personal.ts';
import { NamedFault } from '../../src/kernel/refusal.ts';
import { eraseCustomer } from '../../src/modules/account/erase-accounts.ts';
import { listAlerts } from '../../src/modules/alert/index.ts';
import type { AlertKind } from '../../src/modules/alert/kinds.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { followPayment } from '../../src/modules/payment/attempt/follow-payment.ts';
import {
  bookDashboardRefund,
  bookOutOfBandRefund,
  failedRefund,
  planDashboardRefund,
  planOutOfBandRefund,
  planRefund,
  refundInvoice,
  requireBooked,
  retryRefund,
} from '../../src/modules/payment/index.ts';
import { followRefund, refundAsks } from '../../src/modules/payment/refund/follow-refund.ts';
import { requestRefund } from '../../src/modules/payment/refund/request-refund.ts';
import type { GatewayBooks } from '../../src/ports/gateway-books.ts';
import type { ReportedRefund } from '../../src/ports/payment-gateway.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** Refunds by their provider's answers, on inserted rows. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNAPPLIED = 20_00;
let payments: GivenPayments;
let invoice: string;
beforeEach(async () => {
  payments = await givenPayments();
  invoice = await payments.invoices.draftInvoice();
});
afterEach(() => payments?.invoices.hosts.stop());

const later = (ms: number) => payments.invoices.hosts.clock.advance(ms);
/** Pays the invoice by card, with `unapplied` above its amount. */
async function paid(unapplied = 0) {
  await payments.openPayment(invoice);
  const attempt = await payments.attempt();
  const { currency, amount } = attempt;
  const reported = {
    ref: 'card_1',
    state: 'succeeded',
    currency,
    amount,
    received: PRICE + unapplied,
  } as const;
  await payments.run(() => followPayment(payments.deps, attempt, reported));
  payments.jobs.length = 0;
}
const refund = async () => (await payments.refunds()).at(-1)!;
const settle = async (says: ReportedRefund | 'unknown' = 'unknown') => {
  payments.card.refunds.answers = says;
  const { id } = await refund();
  return payments.run(() => followRefund(payments.deps, id));
};
const sent = () => payments.card.calls.filter(call => call.startsWith('refund'));
/** The details of the only open alert. */
const alertFacts = async (kind: AlertKind) => {
  const [told, ...others] = await payments.invoices.read(db => listAlerts(db));
  expect([told?.kind, others]).toEqual([kind, []]);
  return told!.what;
};
const emails = () =>
  payments.jobs.filter(({ name }) => name === 'sendEmail').map(({ data }) => data.template);
const arrived = { ref: 're_1', state: 'succeeded' as const };
const request = { reason: 'sorry' };
const plan = (asked = {}, number = '2026-000001') =>
  payments.run(() => planRefund(payments.deps, number, { ...request, ...asked }));
const confirmRefund = (code: string, asked = {}) =>
  payments.run(() => refundInvoice(payments.deps, '2026-000001', { ...request, ...asked }, code));

test('S44 a refund is sent once, announced once, and polled for as long as a bank can return it', async () => {
  await paid(UNAPPLIED);
  await settle();
  expect(sent()).toEqual([`refund ${UNAPPLIED} of card_1`]);
  expect(await refund()).toMatchObject({ status: 'pending', provider_ref: 're_1', tries: 1 });
  const { owner } = payments.invoices;
  const message = { template: 'refunded', subjectId: (await refund()).id, customerId: owner.customerId };
  expect(payments.jobs).toEqual([{ name: 'sendEmail', data: message }]);
  await settle();
  await settle(arrived);
  expect(sent()).toHaveLength(1);
  expect((await refund()).status).toBe('succeeded');
  expect(await payments.ledgerSums('refund:')).toEqual({ provider: -UNAPPLIED, refundsDue: UNAPPLIED });
  const { version } = await refund();
  await settle(arrived);
  expect((await refund()).version).toBe(version);
  expect(payments.jobs).toHaveLength(1);
  later(30 * DAY_MS);
  await settle(arrived);
  expect((await refund()).ask_at).not.toBeNull();
  later(1);
  await settle(arrived);
  expect((await refund()).ask_at).toBeNull();
});

test("a guest is told of a refund by their order; immediate failures and those with a credit note's email are not announced", async () => {
  await payments.invoices.hosts.subscription();
  invoice = await payments.invoices.draftInvoice(null, 'ord_2');
  await paid(UNAPPLIED);
  await settle();
  const message = { template: 'refunded', subjectId: (await refund()).id, orderId: 'ord_2' };
  expect(payments.jobs).toEqual([{ name: 'sendEmail', data: message }]);
  Object.assign(payments.card.gateway, { refund: async () => ({ ref: 're_2', state: 'failed' }) });
  const unsent = { status: 'created' as const, provider_ref: null, tries: 0 };
  await payments.invoices.hosts.all.updateTable('refund').set(unsent).execute();
  await settle();
  expect([(await refund()).status, payments.jobs.length]).toEqual(['failed', 1]);
});

test('P23 a refund that a lost dispute ends while it is being sent is not sent', async () => {
  await paid(UNAPPLIED);
  const { all, databaseUrl } = payments.invoices.hosts;
  const end = `update refund set status = 'failed', failure = 'disputed', ask_at = null`;
  await whileLocked({ db: all, databaseUrl }, 'select from refund for update', settle, holder =>
    holder.query(end),
  );
  expect([sent(), (await refund()).tries]).toEqual([[], 0]);
});

test('FM2 a returned refund is due again; staff and its payer are told, and it is not polled any more', async () => {
  await paid(UNAPPLIED);
  await settle();
  await settle(arrived);
  payments.jobs.length = 0;
  await settle({ ref: 're_1', state: 'failed', failure: 'closed' });
  const { customerId } = payments.invoices.owner;
  const message = { template: 'refundFailed', subjectId: (await refund()).id, customerId };
  expect(payments.jobs).toEqual([{ name: 'sendEmail', data: message }]);
  expect(await refund()).toMatchObject({ status: 'failed', failure: 'closed', ask_at: null });
  expect(await payments.ledgerSums('refund-back:')).toEqual({ provider: UNAPPLIED, refundsDue: -UNAPPLIED });
  const facts = { currency: 'THB', amount: UNAPPLIED, reason: 'closed' };
  expect(await alertFacts('refund.failed')).toEqual(facts);
  const callsBefore = payments.card.calls.length;
  await settle();
  expect(payments.card.calls).toHaveLength(callsBefore);
  expect(payments.jobs).toHaveLength(1);
});

test('a refund that never arrived is not reversed in the books; one that takes a day is polled until it is final', async () => {
  await paid(UNAPPLIED);
  await settle();
  later(DAY_MS);
  await settle({ ref: 're_1', state: 'pending' });
  expect(await payments.alerts()).toEqual([]);
  later(1);
  await settle({ ref: 're_1', state: 'pending' });
  expect(await payments.alerts()).toEqual(['refund.unfinished']);
  // It is polled for as long as it takes.
  later(31 * DAY_MS);
  await settle({ ref: 're_1', state: 'pending' });
  expect(await refund()).toMatchObject({ status: 'pending', ask_at: expect.any(Date), version: 1 });
  await settle({ ref: 're_1', state: 'failed' });
  expect((await refund()).version).toBe(2);
  expect(await payments.alerts()).toEqual(['refund.failed']);
  expect(await payments.ledgerSums('refund')).toEqual({});
});

test('a refund that arrives after more than a day resolves its alert', async () => {
  await paid(UNAPPLIED);
  await settle();
  later(DAY_MS + 1);
  await settle({ ref: 're_1', state: 'pending' });
  expect(await alertFacts('refund.unfinished')).toEqual({ status: 'pending' });
  await settle(arrived);
  expect(await payments.alerts()).toEqual([]);
});

test('an action that the payer has to take is requested at once, and can be read until it is done', async () => {
  await paid(UNAPPLIED);
  const asks = { kind: 'bank' as const };
  await settle();
  payments.jobs.length = 0;
  await payments.invoices.hosts.all
    .updateTable('refund')
    .set({ status: 'created', provider_ref: null })
    .execute();
  await settle({ ref: 're_1', state: 'pending', asks });
  expect(payments.jobs).toMatchObject([{ name: 'sendEmail', data: { template: 'refundAsks' } }]);
  const { id } = await refund();
  const read = (which: string) => payments.run(() => refundAsks(payments.deps, which));
  expect([await read(id), await read('ref_none')]).toEqual([asks, undefined]);
  payments.card.refunds.answers = 'unknown';
  expect(await read(id)).toBeUndefined();
});

test('a fault that the provider repeats for a key ends after an hour with another key, and not before', async () => {
  await paid(UNAPPLIED);
  const { gateway } = payments.card;
  const works = gateway.refund;
  gateway.refund = async () => {
    throw Object.assign(new NamedFault('providerUnreachable'), { answered: true });
  };
  await expect(settle()).rejects.toThrow();
  later(HOUR_MS);
  await expect(settle()).rejects.toThrow();
  expect((await refund()).tries).toBe(1);
  later(1);
  await expect(settle()).rejects.toThrow();
  expect((await refund()).tries).toBe(2);
  gateway.refund = works;
  await settle();
  expect((await refund()).status).toBe('pending');
});

test('a lost answer is no answer: the same key is sent again, for as long as it takes', async () => {
  await paid(UNAPPLIED);
  payments.card.gateway.refund = async () => {
    throw new NamedFault('providerUnreachable');
  };
  await expect(settle()).rejects.toThrow();
  later(2 * HOUR_MS);
  await expect(settle()).rejects.toThrow();
  expect((await refund()).tries).toBe(1);
});

test('P23 a refund that its provider refuses was never sent, and a lost dispute ends it', async () => {
  await paid(UNAPPLIED);
  payments.card.gateway.refund = async () => {
    throw new Error('charge_disputed');
  };
  await expect(settle()).rejects.toThrow('charge_disputed');
  expect(await refund()).toMatchObject({ status: 'created', tries: 0 });
});

test('X17 a refund is previewed first, with a code for one use, and never exceeds the rest', async () => {
  await expect(plan()).rejects.toThrow('there is no paid invoice 2026-000001');
  await paid(UNAPPLIED);
  const all = { number: '2026-000001', currency: 'THB', paid: PRICE, left: PRICE };
  expect(await plan()).toEqual({ ...all, amount: PRICE, code: expect.stringMatching(/^[0-9a-f]{8}$/) });
  const part = { amount: 50_00 };
  const { code } = await plan(part);
  expect((await plan()).code).not.toBe(code);
  await expect(confirmRefund('00000000', part)).rejects.toThrow('is not the code of this refund');
  const { creditNote, plan: done } = await confirmRefund(code, part);
  expect([creditNote, done.amount]).toEqual(['CN2026-000001', 50_00]);
  const sends = (await payments.refunds()).find(({ reason }) => reason === 'staff')!;
  expect(sends).toMatchObject({ amount: 50_00, status: 'created' });
  expect(payments.jobs).toEqual([
    { name: 'followRefund', data: { refundId: sends.id } },
    { name: 'generateDocuments', data: { invoiceId: invoice } },
  ]);
  await expect(confirmRefund(code, part)).rejects.toThrow('is not the code');
  await expect(plan({ amount: PRICE - 50_00 + 1 })).rejects.toThrow('more than is left');
  expect((await plan()).amount).toBe(PRICE - 50_00);
  const asCredit = { asCredit: true };
  const { creditNote: second } = await confirmRefund((await plan(asCredit)).code, asCredit);
  expect([second, await payments.invoices.credit()]).toEqual(['CN2026-000002', PRICE - 50_00]);
  expect(payments.jobs.slice(2)).toEqual([{ name: 'generateDocuments', data: { invoiceId: invoice } }]);
  expect(await payments.refunds()).toHaveLength(2);
  await expect(plan()).rejects.toThrow('all of 2026-000001 was refunded');
});

test('X17 credit of an ended account is useless to anybody, so its money is refunded', async () => {
  await paid();
  const asCredit = { asCredit: true };
  const { code } = await plan(asCredit);
  await payments.invoices.hosts.all.updateTable('customer').set({ status: 'disabled' }).execute();
  for (const tries of [() => plan(asCredit), () => confirmRefund(code, asCredit)])
    await expect(tries()).rejects.toThrow('refund the money instead');
  expect((await confirmRefund((await plan()).code)).creditNote).toBe('CN2026-000001');
});

test('X17 unapplied money, and an invoice that credit alone has paid, are not refunded as money', async () => {
  await payments.invoices.grantGoodwill(PRICE);
  await payments.invoices.renewalInvoice();
  await expect(plan()).rejects.toThrow('no payment counts for this invoice');
  expect(await plan({ asCredit: true })).toMatchObject({ paid: PRICE, left: PRICE });
  await payments.invoices.hosts.subscription();
  const guest = await payments.invoices.draftInvoice(null, 'ord_2');
  await payments.invoices.pay(guest);
  await expect(plan({}, '2026-000002')).rejects.toThrow('is not delivered yet');
});

test('FM2 the money of a credit note is sent again only after it has failed for good', async () => {
  await paid();
  await confirmRefund((await plan()).code);
  const again = (number = 'CN2026-000001') => payments.run(() => retryRefund(payments.deps, number));
  await expect(again('CN2026-000009')).rejects.toThrow('there is no credit note');
  await expect(again()).rejects.toThrow('is on its way or has arrived');
  await settle();
  expect(emails()).toEqual([]);
  // What renders the note from now on emails it as well: the refund is on its way.
  await payments.invoices.hosts.all
    .updateTable('credit_note')
    .set({ ready_at: payments.invoices.now() })
    .execute();
  await settle({ ref: 're_1', state: 'failed' });
  expect(emails()).toEqual(['refundFailed']);
  const creditNote = 'CN2026-000001';
  expect(await alertFacts('refund.failed')).toEqual({ currency: 'THB', amount: PRICE, creditNote });
  later(1);
  await again();
  expect(await payments.alerts()).toEqual([]);
  expect((await payments.refunds()).map(({ amount, status }) => [amount, status]).sort()).toEqual([
    [PRICE, 'created'],
    [PRICE, 'failed'],
  ]);
  await expect(again()).rejects.toThrow('is on its way');
  // The second refund has no email of its own; before the provider accepts it, nobody is told.
  const answers = (ref: string, state: string) =>
    Object.assign(payments.card.gateway, { refund: async () => ({ ref, state }) });
  answers('re_2', 'pending');
  const second = await refund();
  await settle();
  expect(emails()).toEqual(['refundFailed', 'refunded']);
  expect(payments.jobs.at(-1)!.data.subjectId).toBe(second.id);
  await settle({ ref: 're_2', state: 'failed' });
  expect(emails().slice(2)).toEqual(['refundFailed']);
  later(1);
  await again();
  answers('re_3', 'failed');
  await settle();
  expect([(await refund()).status, emails().length]).toEqual(['failed', 3]);
});

test('FM2 money above an invoice is sent again by the id of its refund', async () => {
  await paid(UNAPPLIED);
  const { id } = await refund();
  const again = (which = id) => payments.run(() => retryRefund(payments.deps, which));
  await expect(again('ref_none')).rejects.toThrow('there is no credit note or refund ref_none');
  await expect(again()).rejects.toThrow('is on its way or has arrived');
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  later(1);
  // Other money of the same payment is being refunded.
  await confirmRefund((await plan()).code);
  later(1);
  await again();
  expect(await payments.alerts()).toEqual([]);
  expect(await refund()).toMatchObject({ amount: UNAPPLIED, reason: 'unapplied', status: 'created' });
  await expect(again()).rejects.toThrow('is on its way');
});

const outOfBand = (id: string, reason = 'To his bank') => ({
  plan: () => payments.run(() => planOutOfBandRefund(payments.deps.db, failedRefund, id, { reason })),
  pay: (code: string) =>
    payments.run(() => bookOutOfBandRefund(payments.deps, failedRefund, id, { reason }, code)),
});
/** Differences about amounts due in the books. */
const differences = async () =>
  (await payments.run(() => checkDatabase(payments.deps.db, payments.invoices.now())))
    .map(({ name }) => name)
    .filter(name => /^X(15|16|17|20|26)/.test(name));

test.each([
  ['beyond an invoice', UNAPPLIED, () => paid(UNAPPLIED)],
  ['of a credit note', PRICE, async () => paid().then(async () => confirmRefund((await plan()).code))],
])(
  'FM2 a refund that staff has paid out of band %s is booked once, and never sent',
  async (_, amount, owed) => {
    await owed();
    const { id } = await refund();
    const { plan: planned, pay } = outOfBand(id);
    await expect(planned()).rejects.toThrow('is on its way or has arrived');
    await settle();
    await settle({ ref: 're_1', state: 'failed' });
    const { code } = await planned();
    expect(await planned()).toMatchObject({ amount, currency: 'THB' });
    expect((await outOfBand(id, 'By cash').plan()).code).not.toBe(code);
    await expect(pay('00000000')).rejects.toThrow('is not the code');
    expect(await payments.alerts()).toEqual(['refund.failed']);
    await pay(code);
    expect(await payments.ledgerSums('by-hand:')).toEqual({ refundsDue: amount, outOfBand: -amount });
    expect(await payments.alerts()).toEqual([]);
    await expect(pay(code)).rejects.toThrow('was refunded out of band');
    await expect(payments.run(() => retryRefund(payments.deps, id))).rejects.toThrow(
      'was refunded out of band',
    );
    expect(await differences()).toEqual([]);
  },
);

/** Books a refund that was made on the provider's own page. */
async function bookRefundThere(amount: number, paymentRef = 'card_1') {
  const there = { paymentRef, currency: 'THB', amount, state: 'succeeded' as const };
  const providers = [{ provider: 'stripe', refund: async () => there }] as unknown as GatewayBooks[];
  const deps = { ...payments.deps, providers };
  const made = { ref: 're_3', amount, reason: 'At its page' };
  const { code } = await payments.run(() => planDashboardRefund(deps, '2026-000001', made));
  later(1);
  await payments.run(() => bookDashboardRefund(deps, '2026-000001', made, code));
}

/** Creates a refund that failed twice. @returns the first try */
async function failedTwice(): Promise<string> {
  await paid(UNAPPLIED);
  const { id: first } = await refund();
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  later(1);
  await payments.run(() => retryRefund(payments.deps, first));
  Object.assign(payments.card.gateway, { refund: async () => ({ ref: 're_2', state: 'failed' }) });
  await settle();
  return first;
}

test('FM2 one out-of-band refund settles all tries of the same money', async () => {
  const first = await failedTwice();
  const { plan: planned, pay } = outOfBand(first);
  await pay((await planned()).code);
  expect(await payments.alerts()).toEqual([]);
  await expect(outOfBand((await refund()).id).plan()).rejects.toThrow('was refunded out of band');
  await expect(outOfBand('ref_none').plan()).rejects.toThrow('there is no refund ref_none');
  expect(await differences()).toEqual([]);
});

test("FM2 a part payment by coins still counts when the invoice's other money is refunded out of band", async () => {
  await paid(-1);
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  await payments.invoices.hosts.all.updateTable('invoice').set({ prepaid: UNAPPLIED }).execute();
  const { plan: planned, pay } = outOfBand((await refund()).id);
  const { code, amount } = await planned();
  await pay(code);
  expect([amount, (await payments.invoices.invoiceRow(invoice)).prepaid]).toEqual([PRICE - 1, UNAPPLIED]);
});

test('FM9 a refund at the provider settles all tries of the same money', async () => {
  await failedTwice();
  expect(await payments.alerts()).toEqual(['refund.failed']);
  await bookRefundThere(UNAPPLIED);
  expect(await payments.alerts()).toEqual([]);
});

test('FM9 a refund at the provider for a credit note needs no other one', async () => {
  await paid();
  await confirmRefund((await plan()).code);
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  const { credit_note_id } = await refund();
  expect(credit_note_id).not.toBeNull();
  await bookRefundThere(PRICE);
  expect(await refund()).toMatchObject({ reason: 'staff', credit_note_id, provider_ref: 're_3' });
  expect(await payments.invoices.hosts.all.selectFrom('credit_note').select('id').execute()).toHaveLength(1);
});

test('FM9 a refund to the card of an invoice paid by coins and a card is found at its provider', async () => {
  const receive = async (number: number, ref: string, received: number) => {
    const attempt = await payments.attempt(number);
    const { currency, amount } = attempt;
    const says = { ref, state: 'succeeded', currency, amount, received } as const;
    await payments.run(() => followPayment(payments.deps, attempt, says));
  };
  await payments.openPayment(invoice, 'bitcoin');
  await receive(1, 'bitcoin_1', UNAPPLIED);
  await payments.openPayment(invoice);
  await receive(2, 'card_2', PRICE - UNAPPLIED);
  await bookRefundThere(1_00, 'card_2');
  expect(await refund()).toMatchObject({ amount: 1_00, attempt_id: (await payments.attempt(2)).id });
});

test('FM9 a refund at the provider is in the way of another one only where it is not ours and did not fail', async () => {
  await paid(UNAPPLIED);
  const { id: refundId } = await refund();
  const refundMore = (one: { ref: string; refundId?: string; state?: ReportedRefund['state'] }) => {
    const there = { state: 'succeeded', currency: 'THB', amount: 5_00, ...one };
    const books = [{ provider: 'stripe', refundsOf: async () => [there] }] as unknown as GatewayBooks[];
    return payments.run(() => requireBooked(payments.deps.db, books, '2026-000001'));
  };
  await expect(refundMore({ ref: 're_1' })).rejects.toThrow(
    'THB 5.00 of 2026-000001 were refunded at stripe as re_1: book that first, with --made re_1',
  );
  await refundMore({ ref: 're_1', state: 'failed' });
  // Its answer was lost: only the provider knows both names.
  await refundMore({ ref: 're_1', refundId });
  await settle();
  await refundMore({ ref: 're_1' });
});

test('FM9 unapplied money is not booked as refunded', async () => {
  await payments.invoices.hosts.subscription();
  invoice = await payments.invoices.draftInvoice(null, 'ord_2');
  await paid();
  await expect(bookRefundThere(1_00)).rejects.toThrow('2026-000001 is not delivered yet');
});

test('P23 a disputed payment is not refunded out of band', async () => {
  await paid(UNAPPLIED);
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  const at = payments.invoices.now();
  const { id: attempt_id } = await payments.attempt();
  const money = { currency: 'THB', amount: PRICE, withdrawn: PRICE, fee: 0 };
  await payments.invoices.hosts.all
    .insertInto('dispute')
    .values({
      id: 'dsp_1',
      attempt_id,
      provider_ref: 'du_1',
      status: 'open',
      ...money,
      reason: 'general',
      created_at: at,
      updated_at: at,
    })
    .execute();
  await expect(outOfBand((await refund()).id).plan()).rejects.toThrow('is disputed');
});

test('FM9 a refund at the provider replaces one that failed, or has a credit note', async () => {
  await paid(UNAPPLIED);
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  const { id: failed } = await refund();
  const there = { paymentRef: 'card_1', currency: 'THB', amount: UNAPPLIED, state: 'succeeded' as const };
  const asked: string[] = [];
  const providers = ['paypal', 'stripe'].map(provider => ({
    provider,
    refund: async (ref: string) => {
      asked.push(provider);
      return ref === 're_none' ? undefined : there;
    },
  })) as unknown as GatewayBooks[];
  const deps = { ...payments.deps, providers };
  const made = (ref = 're_2', amount = UNAPPLIED) => ({ ref, amount, reason: 'At its page' });
  const planRefundThere = (...args: Parameters<typeof made>) =>
    payments.run(() => planDashboardRefund(deps, '2026-000001', made(...args)));
  const book = (code: string, ...args: Parameters<typeof made>) =>
    payments.run(() => bookDashboardRefund(deps, '2026-000001', made(...args), code));
  await expect(payments.run(() => planDashboardRefund(deps, '2026-000009', made()))).rejects.toThrow(
    'no paid invoice',
  );
  await expect(planRefundThere('re_none')).rejects.toThrow('knows a refund re_none');
  // Only the provider that took the money is queried.
  expect(new Set(asked)).toEqual(new Set(['stripe']));
  await expect(planRefundThere('re_1')).rejects.toThrow(`re_1 is the refund ${failed} of this shop`);
  for (const [other, says] of [
    [{ paymentRef: 'card_9' }, 'another payment'],
    [{ state: 'failed' }, 'failed there'],
    [{ currency: 'USD' }, 'is of USD 20.00'],
    [{ amount: 1_00 }, 'is of THB 1.00'],
  ] as const) {
    const before = { ...there };
    Object.assign(there, other);
    await expect(planRefundThere()).rejects.toThrow(says);
    Object.assign(there, before);
  }
  const first = await planRefundThere();
  expect(first.pays).toBe(failed);
  // Another amount is other money.
  there.amount = 5_00;
  expect((await planRefundThere('re_2', 5_00)).pays).toBeNull();
  there.amount = UNAPPLIED;
  // The invoice may have no number, and the payment another id for its refund.
  expect(await payments.run(() => planDashboardRefund(deps, invoice, made()))).toEqual(first);
  await payments.invoices.hosts.all.updateTable('attempt').set({ charge_ref: 'ch_1' }).execute();
  there.paymentRef = 'ch_1';
  expect(await planRefundThere()).toEqual(first);
  await expect(book('00000000')).rejects.toThrow('is not the code');
  later(1);
  await book(first.code);
  expect(await refund()).toMatchObject({
    reason: 'unapplied',
    status: 'created',
    tries: 1,
    provider_ref: 're_2',
  });
  expect(await payments.alerts()).toEqual([]);
  await expect(book(first.code)).rejects.toThrow('re_2 is the refund');
  const before = sent().length;
  await settle({ ref: 're_2', state: 'succeeded' });
  expect([(await refund()).status, sent().length]).toEqual(['succeeded', before]);

  // No failure is left: a new refund is for what paid the invoice.
  const second = await planRefundThere('re_3');
  expect(second.pays).toBeNull();
  later(1);
  await book(second.code, 're_3');
  await settle({ ref: 're_3', state: 'succeeded' });
  expect(await refund()).toMatchObject({ reason: 'staff', amount: UNAPPLIED, status: 'succeeded' });
  expect(sent()).toHaveLength(before);
  there.amount = PRICE;
  await expect(planRefundThere('re_4', PRICE)).rejects.toThrow('THB 179.00 are left of 2026-000001');
  there.amount = PRICE - UNAPPLIED;
  expect((await planRefundThere('re_4', PRICE - UNAPPLIED)).pays).toBeNull();
  expect(await differences()).toEqual([]);
});

test('S83 the reason of an out-of-band refund is readable by its customer, and is deleted with the account', async () => {
  await paid(UNAPPLIED);
  await settle();
  await settle({ ref: 're_1', state: 'failed' });
  const { plan: planned, pay } = outOfBand((await refund()).id);
  await pay((await planned()).code);
  const { customerId: id } = payments.invoices.owner;
  const kept = async () =>
    Object.assign(
      {},
      ...(await payments.run(() =>
        Promise.all(personal.map(({ exportOf }) => exportOf?.(payments.deps.db, id))),
      )),
    );
  expect(await kept()).toMatchObject({ refundedOutOfBand: [{ amount: UNAPPLIED, reason: 'To his bank' }] });
  await payments.invoices.hosts.all
    .updateTable('customer')
    .set({ status: 'deleted' })
    .where('id', '=', id)
    .execute();
  await payments.run(() => eraseCustomer(payments.deps.db, personal, id));
  expect(await kept()).toMatchObject({ refundedOutOfBand: [{ amount: UNAPPLIED, reason: '' }] });
});

test("FM2 an immediate failure is announced when the credit note's email has promised the money", async () => {
  await paid();
  await confirmRefund((await plan()).code);
  Object.assign(payments.card.gateway, { refund: async () => ({ ref: 're_2', state: 'failed' }) });
  await settle();
  expect(emails()).toEqual(['refundFailed']);
});

test('X17 a credit note that became credit is never sent as money as well', async () => {
  await paid();
  const asCredit = { asCredit: true };
  await confirmRefund((await plan(asCredit)).code, asCredit);
  const again = payments.run(() => retryRefund(payments.deps, 'CN2026-000001'));
  await expect(again).rejects.toThrow('is credit of its customer');
  expect(await payments.refunds()).toEqual([]);
  // Not even by a caller that skips the question (X10).
  const { all } = payments.invoices.hosts;
  const { id: credit_note_id } = await all.selectFrom('credit_note').select('id').executeTakeFirstOrThrow();
  const { id, customer_id, currency } = await payments.attempt();
  const fields = { reason: 'staff' as const, credit_note_id };
  const asked = payments.run(() =>
    payments.invoices.inTransaction(tx =>
      requestRefund(payments.deps, tx, payments.invoices.now(), { id, customer_id, currency }, PRICE, fields),
    ),
  );
  await expect(asked).rejects.toThrow('refund_note_credited');
});

test('X17 a credit note without money to send, or whose dispute is not won, is not sent', async () => {
  await paid();
  await confirmRefund((await plan()).code);
  const { all } = payments.invoices.hosts;
  const attempt_id = (await payments.attempt()).id;
  const dispute = {
    id: 'dsp_1',
    attempt_id,
    provider_ref: 'du_1',
    currency: 'THB',
    amount: PRICE,
    withdrawn: PRICE,
    fee: 0,
    reason: 'general',
    created_at: payments.invoices.now(),
    updated_at: payments.invoices.now(),
  };
  await all
    .insertInto('dispute')
    .values({ ...dispute, status: 'open' })
    .execute();
  await all.deleteFrom('refund').execute();
  const again = () => payments.run(() => retryRefund(payments.deps, 'CN2026-000001'));
  await expect(again()).rejects.toThrow('was never to be sent');
  await all.updateTable('credit_note').set({ dispute_id: 'dsp_1' }).execute();
  await expect(again()).rejects.toThrow('may go by the dispute du_1');
  await all.updateTable('dispute').set({ status: 'lost' }).execute();
  await expect(again()).rejects.toThrow('went back by the lost dispute du_1');
  await all.updateTable('dispute').set({ status: 'won', withdrawn: 0 }).execute();
  await again();
  expect(await refund()).toMatchObject({ amount: PRICE, status: 'created' });
  await settle();
  expect(emails()).toEqual(['refunded']);
});
