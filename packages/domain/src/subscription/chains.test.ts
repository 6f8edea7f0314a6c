import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Action, act, type Notes } from '../testing/chain-actions.ts';
import { ChainModel, DAY_MS } from '../testing/chain-model.ts';

/** Chains of steps that are each right, repeated and combined (Money: the property of chains). */
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('buy', 'replace', 'withdraw', 'reactivate' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('upgrade', 'downgrade', 'cancel', 'resume', 'refund', 'credit', 'dispute'),
    },
  ) as fc.Arbitrary<Action['kind']>,
  pick: fc.nat(5),
  amount: fc.integer({ min: 10_00, max: 600_00 }),
  law: fc.constantFrom('full', 'days'),
  pays: fc.constantFrom('card', 'declined', 'manual', 'never'),
  payMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: DAY_MS })),
  setUpMs: fc.oneof(fc.constant(0), fc.constant(60_000), fc.integer({ min: 0, max: 3 * DAY_MS })),
});
/** Seconds, nearly a day, days, and weeks in which no worker may run. */
const pause = fc.record({
  ms: fc.oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: DAY_MS - 7_200_000, max: DAY_MS }),
    fc.integer({ min: DAY_MS, max: 3 * DAY_MS }),
    fc.integer({ min: 0, max: 20 * DAY_MS }),
    fc.integer({ min: 20 * DAY_MS, max: 60 * DAY_MS }),
  ),
  isAwake: fc.boolean(),
});

/** Faults of a chain, with the step after which the customer had more than was paid. */
function faultsOf(steps: readonly (readonly [Action, { ms: number; isAwake: boolean }])[]): string[] {
  const model = new ChainModel();
  const notes: Notes = { withdrawals: [], notes: [] };
  let done = 0;
  for (const [one, { ms, isAwake }] of steps) {
    act(model, notes, one);
    model.pass(ms, isAwake);
    done += 1;
    const paid = model.money + model.goodwill + model.fullLoss;
    model.expect(paid >= model.value() - done, `${one.kind}: ${model.value() - paid} for nothing`);
    const holds = model.subs.flatMap(({ hold }) => hold ?? []);
    model.expect(holds.filter(({ ranPaidPeriod }) => !ranPaidPeriod).length <= 2, 'more than two held');
    model.expect(
      holds.every(({ ranPaidPeriod, servedMs }) => ranPaidPeriod || servedMs >= DAY_MS),
      'held after less than a day',
    );
    if (model.faults.length > 0) break;
  }
  return model.faults;
}

test('whatever a customer chains, they never hold or get more than was paid for', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(action, pause), { minLength: 1, maxLength: 14 }), steps => {
      expect(faultsOf(steps)).toEqual([]);
    }),
    { numRuns: 6000 },
  );
});

test('SE1 a company whose twenty subscriptions expire keeps all twenty addresses for 30 days', () => {
  const model = new ChainModel();
  for (let n = 0; n < 20; n += 1) model.newSub(199_00, model.pay(199_00, 0, true), 'never', n * 60_000);
  const held = () => model.subs.filter(({ hold }) => hold).length;
  model.pass(36 * DAY_MS, true);
  const ended = model.subs.filter(({ s }) => s.status === 'expired').length;
  model.pass(2 * DAY_MS, true);
  expect([ended, held()]).toEqual([0, 20]);
  model.pass(28 * DAY_MS, true);
  expect(held()).toBe(20);
  model.pass(2 * DAY_MS, true);
  expect(held()).toBe(0);
});
