import { type GivenPayments, givenPayments } from '@fixpoint/testkit/given/payments.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { continueSaving, followSaving, saveCard } from '../../src/modules/payment/saved-method/save-card.ts';
import { makeDefault, removeMethod } from '../../src/modules/payment/saved-method/saved-methods.ts';
import type { Card, CardCalls, ReportedSaving } from '../../src/ports/payment-gateway.ts';

/** A page and a webhook save the same card; the later one comes after its owner has removed it or chosen another. */
let payments: GivenPayments;
let customerId: string;
let gatewayCustomerId: string;
/** Runs once, between the gateway's answer that a card is attached and the caller that gets it. */
let meanwhile: (() => Promise<unknown>) | undefined;
const detached = new Set<string>();

const cardOf = (ref: string): Card => ({
  ref,
  fingerprint: ref === 'pm_other' ? 'other' : 'same',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: 2040,
});
const reported = (ref = 'pm_1') =>
  ({
    ref: 'seti_1',
    gatewayCustomerRef: 'cus_1',
    begunAt: payments.invoices.now(),
    begun: { gatewayCustomerId, language: 'en', asDefault: true },
    state: 'saved',
    card: cardOf(ref),
  }) as ReportedSaving;

beforeEach(async () => {
  payments = await givenPayments();
  ({ customerId } = payments.invoices.owner);
  detached.clear();
  meanwhile = undefined;
  const cards: Omit<CardCalls, 'pay'> = {
    read: async ref => cardOf(ref),
    readSaved: async ref => {
      const card = detached.has(ref) ? undefined : cardOf(ref);
      const next = meanwhile;
      meanwhile = undefined;
      await next?.();
      return card;
    },
    save: async ({ ref, begun }) => {
      ({ gatewayCustomerId } = begun);
      return reported(ref);
    },
    askSaving: async () => reported(),
    endSaving: async () => undefined,
  };
  const forget = async (ref: string) => void detached.add(ref);
  Object.assign(payments.card.gateway, { cards, forget, createGatewayCustomer: async () => 'cus_1' });
  await save('pm_other');
});
afterEach(() => payments?.invoices.hosts.stop());

const admitted = { names: [], brake: true, work: 0 };
const saving = () => ({ customerId, language: 'en', replaces: undefined, asDefault: true, admitted });
const save = (ref = 'pm_1') => payments.run(() => saveCard(payments.deps, ref, saving()));
const saved = async () => {
  const rows = payments.invoices.hosts.all
    .selectFrom('saved_method')
    .select(['id', 'provider_ref', 'is_default']);
  return rows.orderBy('provider_ref').execute();
};
const idOf = async (ref: string) => (await saved()).find(({ provider_ref }) => provider_ref === ref)!.id;
const remove = async (ref: string) => {
  const id = await idOf(ref);
  return payments.run(() => removeMethod(payments.deps, customerId, id));
};
const choose = async (ref: string) => {
  const id = await idOf(ref);
  return payments.run(() => makeDefault(payments.deps, customerId, id));
};

const calls = {
  'a webhook': () => payments.run(() => followSaving(payments.deps, 'seti_1')),
  'the page after the bank': () => payments.run(() => continueSaving(payments.deps, 'seti_1', saving())),
  'the page again': () => save(),
};

for (const [who, call] of Object.entries(calls)) {
  test(`${who}, overtaken by its owner who removed the card, does not save it again`, async () => {
    meanwhile = async () => {
      await save();
      await remove('pm_1');
    };
    await call();
    expect(await saved()).toMatchObject([{ provider_ref: 'pm_other', is_default: true }]);
    // A repeated call does not either.
    await call();
    expect(await saved()).toMatchObject([{ provider_ref: 'pm_other', is_default: true }]);
  });

  test(`${who}, overtaken by its owner who chose another default, leaves that one the default`, async () => {
    meanwhile = async () => {
      await save();
      await choose('pm_other');
    };
    const charged = () => payments.renewalsCharged.length;
    await call();
    const chosen = [{ provider_ref: 'pm_1', is_default: false }, { is_default: true }];
    expect(await saved()).toMatchObject(chosen);
    const before = charged();
    await call();
    expect([await saved(), charged()]).toMatchObject([chosen, before]);
  });
}

test('a webhook does not restore a card that was saved again under another ID meanwhile', async () => {
  await save();
  await payments.invoices.hosts.all.deleteFrom('saved_method').where('provider_ref', '=', 'pm_1').execute();
  meanwhile = async () => {
    await save('pm_1');
    await save('pm_2');
  };
  await calls['a webhook']();
  expect((await saved()).map(({ provider_ref }) => provider_ref)).toEqual(['pm_2', 'pm_other']);
});

test('a check leaves nothing behind once its card is saved', async () => {
  meanwhile = () => calls['a webhook']();
  await save();
  expect(await saved()).toMatchObject([{ provider_ref: 'pm_1', is_default: true }, {}]);
  expect(await payments.invoices.hosts.all.selectFrom('card_saving').selectAll().execute()).toEqual([]);
});
