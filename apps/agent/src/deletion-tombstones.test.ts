import type { DesiredSet, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { expect, test } from 'vitest';
import { driftWith, tombstonesAfter, tombstonesSchema, withoutTombstoned } from './deletion-tombstones.ts';

const day = (number: number) => new Date(Date.UTC(2026, 10, number)).toISOString();
type Part = { keys?: string[]; revoked?: [keyId: string, serial: string, endsAt?: string][] } & Pick<
  DesiredSubscription,
  'endsAt' | 'suspended'
>;
const set = (of: Record<string, Part>, more: Partial<DesiredSet> = {}): DesiredSet => ({
  hostId: 'h_1',
  revision: 5,
  dns: ['9.9.9.9'],
  leaseSeconds: 60,
  moved: [],
  subscriptions: Object.entries(of).map(
    ([id, { keys = [], revoked = [], ...rest }]) =>
      ({
        id,
        ...rest,
        keys: keys.map((key, n) => ({ id: key, address: n + 2 })),
        revoked: revoked.map(([keyId, serial, endsAt]) => ({ keyId, serial, endsAt })),
      }) as DesiredSubscription,
  ),
  ...more,
});
const today = new Date(day(15));
const restored = (of: Record<string, Part>) => set(of, { restored: true });
/** Returns what runs after consecutive sets, and what is reported missing. */
function after(...sets: DesiredSet[]) {
  let [ended, before]: [ReturnType<typeof tombstonesAfter>, DesiredSet | undefined] = [[], undefined];
  for (const next of sets) {
    ended = tombstonesSchema.parse(JSON.parse(JSON.stringify(tombstonesAfter(ended, before, next, today))));
    before = next;
  }
  const running = withoutTombstoned(before!, ended, today).subscriptions.map(({ id, keys, revoked }) =>
    [id, ...keys.map(key => key.id), ...revoked.map(({ serial }) => serial)].join(' '),
  );
  return { running, missing: driftWith([], before, ended, today) };
}
const clients = (missing: number) => [{ what: 'client', more: 0, missing }];

test('S76 FV4 a deleted key that a restored shop resends is refused until the shop deletes it', () => {
  const whole = { s_one: { keys: ['k_phone', 'k_laptop'] } };
  const less = { s_one: { keys: ['k_phone'] } };
  const kept = { running: ['s_one k_phone'], missing: clients(1) };
  expect(after(set(whole), set(less), restored(whole))).toEqual(kept);
  const next = { s_one: { keys: ['k_phone', 'k_laptop', 'k_new'] } };
  expect(after(set(whole), set(less), restored(whole), set(next))).toEqual({
    running: ['s_one k_phone k_new'],
    missing: clients(1),
  });
  expect(after(set(whole), set(less), restored(whole), set(less))).toEqual({ ...kept, missing: [] });
  // A second restore finds it still refused.
  expect(after(set(whole), set(less), restored(whole), set(less), restored(whole))).toEqual(kept);
});

test('S76 FV4 revoked certificates stay revoked', () => {
  const revoked: Part = { keys: ['k_phone'], revoked: [['k_phone', '11']] };
  const forgotten: Part = { keys: ['k_phone'] };
  expect(after(set({ s_one: revoked }), restored({ s_one: forgotten }), set({ s_one: forgotten }))).toEqual({
    running: ['s_one k_phone 11'],
    missing: clients(1),
  });
  // An expired certificate is no longer listed, which is no restore.
  expect(after(set({ s_one: revoked }), set({ s_one: forgotten })).running).toEqual(['s_one k_phone']);
});

test('FV4 a certificate that has expired since is neither refused nor reported missing', () => {
  const forgotten: Part = { keys: ['k_phone'] };
  const revokedUntil = (end: string): Part => ({ keys: ['k_phone'], revoked: [['k_phone', '11', end]] });
  const back = (end: string) => after(set({ s_one: revokedUntil(end) }), restored({ s_one: forgotten }));
  expect(back(day(14))).toEqual({ running: ['s_one k_phone'], missing: [] });
  expect(back(day(16))).toEqual({ running: ['s_one k_phone 11'], missing: clients(1) });
});

test('S76 FV4 an ended subscription is refused until it is renewed', () => {
  const paid = { s_one: { keys: ['k_phone'], endsAt: day(20) }, s_two: {} };
  const rest = { s_two: {} };
  expect(after(set(paid), set(rest), restored(paid))).toEqual({ running: ['s_two'], missing: clients(1) });
  const again = { ...paid, s_one: { keys: ['k_phone'], endsAt: day(21) } };
  expect(after(set(paid), set(rest), restored(paid), set(again)).running).toEqual(['s_one k_phone', 's_two']);
});

test('what returns without a restore is accepted: moved to and fro, suspended, resumed', () => {
  const whole = { s_one: { keys: ['k_phone'], endsAt: day(20) } };
  const moved = set({}, { moved: ['s_one'] });
  const all = { running: ['s_one k_phone'], missing: [] };
  expect(after(set(whole), moved, restored(whole))).toEqual(all);
  const suspended = set({ s_one: { endsAt: day(20), suspended: true } });
  expect(after(set(whole), suspended, restored(whole))).toEqual(all);
  expect(after(set(whole), set({}), set(whole))).toEqual(all);
  expect(after(set(whole), set({}), set(whole), restored(whole))).toEqual(all);
});
