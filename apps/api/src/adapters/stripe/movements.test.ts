import { expect, test } from 'vitest';
import { type MovementRow, movementsOf, paymentEffects } from './movements.ts';

const row = (part: Partial<MovementRow>): MovementRow => ({
  id: 'txn_1',
  at: new Date('2026-11-20T10:00:00Z'),
  source: undefined,
  category: 'charge',
  currency: 'thb',
  amount: 0,
  fee: 0,
  net: 0,
  rate: null,
  description: undefined,
  ...part,
});

test('X20 a category that Stripe adds later is an adjustment, and a bill never counts as a sale', () => {
  const rows = ['brand_new', 'network_cost', 'payout_reversal'].map((category, i) =>
    row({ id: `txn_${i}`, category, net: -i }),
  );
  const movements = movementsOf(rows, new Map(), new Map());
  expect(movements.map(({ id, kind, category }) => [id, kind, category])).toEqual([
    ['txn_0', 'adjustment', 'brand_new'],
    ['txn_1', 'bill', 'network_cost'],
    ['txn_2', 'payoutReturned', 'payout_reversal'],
  ]);
  expect(paymentEffects(movements)).toEqual(new Map());
});

test('P39 a fee that is booked apart from its converted sale has the rate of the sale', () => {
  const sale = { ref: 'pi_1', currency: 'usd', amount: 1_000 };
  const movements = movementsOf(
    [
      row({ source: 'ch_1', amount: 35_000, net: 35_000, rate: 35 }),
      row({ id: 'txn_2', source: 'ch_1', fee: 350, net: -350 }),
    ],
    new Map([['ch_1', sale]]),
    new Map(),
  );
  expect(movements.map(({ of, net, sold }) => [of, net, sold])).toEqual([
    ['pi_1', 35_000, { currency: 'USD', net: 1_000, rate: 35 }],
    ['pi_1', -350, { currency: 'USD', net: -10, rate: 35 }],
  ]);
  expect(paymentEffects(movements)).toEqual(new Map([['pi_1', 990]]));
});

test('M21 a payout names its bank account, and one whose payout may not be read none', () => {
  const rows = [row({ id: 'txn_1', source: 'po_1', category: 'payout' })];
  const named = (accounts: [string, string][]) => movementsOf(rows, new Map(), new Map(accounts))[0];
  expect(named([['po_1', 'ba_1']])).toMatchObject({ of: 'po_1', destination: 'ba_1' });
  expect(named([])?.destination).toBeUndefined();
});
