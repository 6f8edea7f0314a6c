import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPostgresLimits } from '../../src/adapters/postgres-limits.ts';
import { askAttempt } from '../../src/modules/payment/attempt/poll-attempt.ts';
import { countFor } from '../../src/modules/payment/attempt/store.ts';
import { forgetMethod } from '../../src/modules/payment/saved-method/forget-methods.ts';
import {
  continueSaving,
  followSaving,
  type Saving,
  saveCard,
} from '../../src/modules/payment/saved-method/save-card.ts';
import { saveMethod } from '../../src/modules/payment/saved-method/save-from-payment.ts';
import { countSetupDeclines } from '../../src/modules/payment/saved-method/setup-declines.ts';
import {
  type Card,
  type CardCalls,
  type ReportedSaving,
  type SavingBegun,
  UnknownGatewayCustomer,
} from '../../src/ports/payment-gateway.ts';

/** Savings of cards by their provider's answers, on inserted rows. */
const MINUTE_MS = 60_000;
let payments: GivenPayments;
let customerId: string;
/** Changes to the provider's answer about a saving; undefined: it knows none. */
let says: Partial<ReportedSaving> | undefined;
const calls: { key: string; begun: SavingBegun }[] = [];
const ended: string[] = [];

/** Card of a reference; `pm_9` is another card than all others. */
const cardOf = (ref: string): Card => ({
  ref,
  fingerprint: ref === 'pm_9' ? 'other' : 'same',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: 2040,
});
const reported = (more: object = {}) =>
  ({
    ref: 'seti_1',
    gatewayCustomerRef: 'cus_1',
    begunAt: payments.invoices.now(),
    state: 'saved',
    card: cardOf('pm_1'),
    ...more,
    ...says,
  }) as ReportedSaving;
beforeEach(async () => {
  payments = await givenPayments();
  ({ customerId } = payments.invoices.owner);
  says = {};
  for (const list of [calls, ended]) list.length = 0;
  const cards: Omit<CardCalls, 'pay'> = {
    read: async ref => (ref === 'pm_none' ? undefined : cardOf(ref)),
    readSaved: async ref => (ref === 'pm_detached' ? undefined : cardOf(ref)),
    save: async ({ ref, gatewayCustomerRef, key, begun }) => {
      calls.push({ key, begun });
      return reported({ gatewayCustomerRef, begun, card: cardOf(ref) });
    },
    askSaving: async () => says && reported(),
    endSaving: async ref => void ended.push(ref),
  };
  Object.assign(payments.card.gateway, { cards, createGatewayCustomer: async () => 'cus_1' });
});
afterEach(() => payments?.invoices.hosts.stop());

const saving = (more: Partial<Saving> = {}): Saving => ({
  customerId,
  language: 'en',
  replaces: undefined,
  asDefault: false,
  admitted: { names: ['network a'], brake: true, work: 0 },
  ...more,
});
const save = (ref = 'pm_1', more: Partial<Saving> = {}) =>
  payments.run(() => saveCard(payments.deps, ref, saving(more)));
const kept = () =>
  payments.invoices.hosts.all
    .selectFrom('saved_method')
    .select(['id', 'provider_ref', 'is_default', 'consent', 'consented_at'])
    .orderBy('created_at')
    .orderBy('provider_ref')
    .execute();
const forgotten = async () => {
  for (const { name, data } of payments.jobs)
    if (name === 'forgetMethod') await payments.run(() => forgetMethod(payments.deps, String(data.methodId)));
  return payments.card.calls.filter(call => call.startsWith('forget'));
};

test('a card is saved once, however often that is reported; the card that it replaces is removed, unless it is the same', async () => {
  const first = await save();
  const { id } = (await kept())[0]!;
  expect([first, await kept()]).toMatchObject([{ id }, [{ provider_ref: 'pm_1', is_default: true }]]);
  expect(await save('pm_1', { replaces: id })).toEqual({ id });
  expect(await kept()).toHaveLength(1);
  // Renewals are charged once to the new default.
  expect([payments.renewalsCharged, await forgotten()]).toEqual([[customerId], []]);
  // The provider has another id for the same card now.
  expect(await save('pm_2')).toEqual({ id });
  expect([payments.renewalsCharged.length, await forgotten()]).toEqual([2, ['forget pm_1']]);
  await save('pm_2', { language: 'th' });
  expect((await kept())[0]!.consent).toMatchObject({ language: 'th' });
  await save('pm_2', { language: 'xx' });
  expect((await kept())[0]!.consent).toMatchObject({ language: 'en' });
  await save('pm_9', { replaces: id });
  expect(await kept()).toMatchObject([{ provider_ref: 'pm_9', is_default: true }]);
  expect(await forgotten()).toEqual(['forget pm_1', 'forget pm_2']);
  const { gatewayCustomerId } = calls[0]!.begun;
  expect(calls[0]!.begun).toStrictEqual({ gatewayCustomerId, language: 'en' });
  expect(calls[1]!.begun).toStrictEqual({ gatewayCustomerId, language: 'en', replaces: id });
});

test('one press is one saving at the provider, whatever happens to its answer; other consent is another saving', async () => {
  await save();
  await save();
  for (const [ref, more] of [
    ['pm_1', { language: 'th' }],
    ['pm_1', { replaces: 'met_1' }],
    ['pm_1', { asDefault: true }],
    ['pm_2', {}],
  ] as const)
    await save(ref, more);
  const [first, again, ...others] = calls.map(({ key }) => key);
  expect(again).toBe(first);
  expect(new Set([first, ...others]).size).toBe(5);
  const { customerId: other } = await payments.invoices.hosts.subscription();
  Object.assign(payments.card.gateway, { createGatewayCustomer: async () => 'cus_2' });
  await save('pm_3', { customerId: other });
  expect(calls.at(-1)!.begun.gatewayCustomerId).not.toBe(calls[0]!.begun.gatewayCustomerId);
});

test('a gateway that has deleted its customer gets another one, once per press', async () => {
  const { cards } = payments.card.gateway;
  const { save: saves } = cards!;
  let deleted = 1;
  const made: string[] = [];
  const createGatewayCustomer = async ({ key }: { key: string }) => `cus_${made.push(key)}`;
  Object.assign(payments.card.gateway, { createGatewayCustomer });
  const asked: string[] = [];
  const saveUnlessDeleted: CardCalls['save'] = async card => {
    asked.push(card.gatewayCustomerRef);
    if (asked.length > 9) throw new Error('Asked for ever');
    if (asked.length <= deleted) throw new UnknownGatewayCustomer({});
    return saves(card);
  };
  Object.assign(cards!, { save: saveUnlessDeleted });
  expect(await save()).toEqual({ id: (await kept())[0]!.id });
  expect([asked.splice(0), new Set(made).size]).toEqual([['cus_1', 'cus_2'], 2]);
  deleted = 2;
  await expect(save()).rejects.toThrow(UnknownGatewayCustomer);
  expect(asked).toEqual(['cus_2', 'cus_3']);
});

test('S43 of calls that were admitted at once the fourth card is refused until the hour is over', async () => {
  const { clock } = payments.invoices.hosts;
  Object.assign(payments.deps, { limits: createPostgresLimits(payments.deps.db, clock, Buffer.alloc(32)) });
  Object.assign(says!, { state: 'refused', decline: 'incorrect_cvc', declines: 0 });
  const { cards } = payments.card.gateway;
  Object.assign(cards!, { read: async (ref: string) => ({ ...cardOf(ref), fingerprint: ref }) });
  const admitted = { names: [`account ${customerId}`], brake: true, work: 1000 };
  const saves = (ref: string, more = {}) => save(ref, { admitted: { ...admitted, ...more } });
  const declined = { refusal: 'cardDeclined', data: { cause: 'cvc' } };
  for (const ref of ['pm_1', 'pm_2', 'pm_3']) expect(await saves(ref)).toEqual(declined);
  clock.advance(10 * MINUTE_MS);
  const waits = { refusal: 'tooManyRequests', retryAfterSeconds: 50 * 60 };
  expect([await saves('pm_4'), calls.length]).toEqual([waits, 3]);
  // What is due can be paid all the same.
  expect(await saves('pm_5', { brake: false })).toEqual(declined);
  clock.advance(50 * MINUTE_MS);
  expect(await saves('pm_4')).toEqual(declined);
});

test("a card is not saved when its bank asks or declines, or when it is another customer's, nobody's or an ended account's", async () => {
  expect(await save('pm_none')).toEqual({ refusal: 'cardNotFound' });
  Object.assign(says!, { state: 'asked', clientSecret: 'secret', declines: 0 });
  expect(await save()).toEqual({ asked: { setupIntent: 'seti_1', clientSecret: 'secret' } });
  Object.assign(says!, { state: 'refused', decline: 'incorrect_cvc', declines: 1 });
  expect(await save()).toEqual({ refusal: 'cardDeclined', data: { cause: 'cvc' } });
  const goOn = () => payments.run(() => continueSaving(payments.deps, 'seti_1', saving()));
  expect(await goOn()).toEqual({ refusal: 'cardDeclined', data: { cause: 'cvc' } });
  says = { gatewayCustomerRef: 'cus_another' };
  expect(await goOn()).toEqual({ refusal: 'cardNotFound' });
  says = undefined;
  expect(await goOn()).toEqual({ refusal: 'cardNotFound' });
  expect(await kept()).toEqual([]);
  says = {};
  Object.assign(payments.deps, { holdActive: async () => false });
  expect(await goOn()).toEqual({ refusal: 'sessionExpired' });
  // Nor does the provider keep it.
  expect([await kept(), await forgotten(), payments.renewalsCharged]).toEqual([[], ['forget pm_1'], []]);
  Object.assign(payments.deps, { holdActive: async () => true });
  expect(await goOn()).toEqual({ id: (await kept())[0]!.id });
});

test('an event about a finished saving saves what its owner agreed to, once, and nobody else’s card', async () => {
  const follow = (more: Partial<ReportedSaving> | undefined) => {
    says = more;
    return payments.run(() => followSaving(payments.deps, 'seti_1'));
  };
  await save('pm_9');
  const { id: replaces } = (await kept())[0]!;
  const { gatewayCustomerId } = calls[0]!.begun;
  const begun = { gatewayCustomerId, language: 'th', replaces };
  const before = await kept();
  // No saving; one begun at the provider; another gateway customer's; a card detached since.
  await follow(undefined);
  await follow({});
  await follow({ begun, gatewayCustomerRef: 'cus_another' });
  await follow({ begun: { ...begun, gatewayCustomerId: 'pay_none' } });
  await follow({ begun, card: cardOf('pm_detached') } as Partial<ReportedSaving>);
  expect(await kept()).toEqual(before);
  await follow({ begun });
  expect(await kept()).toMatchObject([
    { provider_ref: 'pm_1', is_default: true, consent: { language: 'th' } },
  ]);
  const charged = payments.renewalsCharged.length;
  await follow({ begun });
  await follow({ begun, state: 'refused', declines: 5 });
  expect(ended.splice(0)).toEqual(['seti_1']);
  expect([payments.renewalsCharged.length, await forgotten()]).toEqual([charged, ['forget pm_9']]);
  await payments.invoices.hosts.all.deleteFrom('saved_method').execute();
  // A guest's gateway customer has no account to save it for.
  await payments.invoices.hosts.all.updateTable('gateway_customer').set({ customer_id: null }).execute();
  await follow({ begun });
  await follow({ begun, state: 'refused', declines: 5 });
  expect([await kept(), ended]).toEqual([[], []]);
});

test("FS3 declines of a saving are counted once, under its page's names; the first ends it, whoever counts", async () => {
  const counted: string[] = [];
  let most = 0;
  const hit = async (name: string) => {
    counted.push(name);
    return { count: most, endsIn: 0 };
  };
  Object.assign(payments.deps.limits, { hit });
  const begunAt = payments.invoices.now();
  const reportDeclines = async (
    declines: number,
    who: Parameters<typeof countSetupDeclines>[2] = { customerId },
  ) => {
    const refused = {
      ref: 'seti_1',
      gatewayCustomerRef: 'cus_1',
      begunAt,
      state: 'refused' as const,
      declines,
    };
    await payments.run(() => countSetupDeclines(payments.deps, refused, who));
    return counted.splice(0);
  };
  const his = [
    `declines order ${customerId}`,
    `declines account ${customerId}`,
    `cards account ${customerId}`,
  ];
  const [shop, named] = ['declines', 'declines network a'];
  // Events that are faster than the page's answer wait for it, because the page counts.
  payments.invoices.hosts.clock.advance(5 * MINUTE_MS);
  expect(await reportDeclines(2)).toEqual([]);
  payments.invoices.hosts.clock.advance(1);
  expect(await reportDeclines(2)).toEqual([...his, shop, ...his, shop]);
  expect(await reportDeclines(2)).toEqual([]);
  expect(await reportDeclines(3, { names: ['network a'] })).toEqual([named, shop]);
  expect(await reportDeclines(4)).toEqual([named, shop]);
  // Each report ends it, also when ending it failed before.
  expect(ended).toEqual(Array(5).fill('seti_1'));
  expect(await reportDeclines(0)).toEqual([]);
  expect(ended).toHaveLength(5);
  expect(await payments.alerts()).toEqual([]);
  most = 40;
  await reportDeclines(5);
  expect(await payments.alerts()).toEqual(['cards.wave']);
  await payments.run(() =>
    countSetupDeclines(payments.deps, reported({ state: 'saved' }), { names: ['network a'] }),
  );
  expect(counted).toEqual([]);
});

test('FS3 declines of a payment are counted once, before it has failed', async () => {
  const counted: string[] = [];
  const statuses = new Set<string>();
  const hit = async (name: string) => {
    counted.push(name);
    statuses.add((await payments.attempt()).status);
    return { count: 0, endsIn: 0 };
  };
  Object.assign(payments.deps.limits, { hit });
  const invoice = await payments.invoices.draftInvoice();
  await payments.openPayment(invoice);
  await payments.run(() => countFor(payments.deps, invoice, ['order o', 'network a']));
  const { id } = await payments.attempt();
  const reportPayment = async (state: 'open' | 'failed', declines: number) => {
    Object.assign(payments.card.answers, { state, decline: 'do_not_honor', declines });
    await payments.run(() => askAttempt(payments.deps, id));
    return counted.splice(0);
  };
  const one = ['declines order o', 'declines network a', 'declines'];
  expect(await reportPayment('open', 0)).toEqual([]);
  expect(await reportPayment('failed', 2)).toEqual([...one, ...one]);
  expect(await reportPayment('failed', 2)).toEqual([]);
  expect([...statuses]).toEqual(['open']);
  expect((await payments.attempt()).status).toBe('failed');
});

test('a method that has paid is saved from its payment as soon as it can be reused', async () => {
  await payments.openPayment(await payments.invoices.draftInvoice());
  const { id, created_at } = await payments.attempt();
  const keep = () => payments.run(() => saveMethod(payments.deps, id, customerId));
  await keep();
  payments.card.answers.unknown = true;
  await keep();
  await payments.run(() => saveMethod(payments.deps, 'att_none', customerId));
  expect(await kept()).toEqual([]);
  Object.assign(payments.card.answers, { unknown: false, method: 'later' });
  await expect(keep()).rejects.toThrow('does not report the method of');
  // A card that its owner had saved and has removed since.
  payments.card.answers.method = cardOf('pm_detached');
  await keep();
  expect(await kept()).toEqual([]);
  payments.invoices.hosts.clock.advance(MINUTE_MS);
  payments.card.answers.method = cardOf('pm_1');
  await keep();
  const { consented_at, is_default } = (await kept())[0]!;
  expect([consented_at, is_default]).toEqual([created_at, true]);
  // It replaces no other card, and no past-due amount is charged to it.
  payments.card.answers.method = { ...cardOf('pm_9'), holder: '4242 4242 4242 4242' };
  await keep();
  expect((await kept()).map(each => each.is_default)).toEqual([true, false]);
  expect(payments.renewalsCharged).toEqual([]);
  const { holder } = await payments.invoices.hosts.all
    .selectFrom('saved_method')
    .select('holder')
    .where('provider_ref', '=', 'pm_9')
    .executeTakeFirstOrThrow();
  expect(holder).not.toContain('4242 4242');
});
