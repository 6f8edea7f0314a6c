import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderServerConfig } from './adapters/openvpn/config.ts';
import { EMPTY, type HostSet, plan, withoutConflicts, withoutOwn } from './plan.ts';
import { hostSet } from './testing/arbitrary.ts';

/**
 * The next set, with subscriptions that run already keeping slot and address: two random sets
 * seldom share a process.
 */
const inPlace = (was: HostSet, is: HostSet): HostSet => ({
  ...is,
  subscriptions: is.subscriptions.flatMap(subscription => {
    const before = was.subscriptions.find(({ id }) => id === subscription.id);
    if (!before) return [];
    const { slot, bindAddress, prefix6 } = before;
    return [{ ...subscription, slot, bindAddress, prefix6 }];
  }),
});

describe('plan', () => {
  it('finds nothing to do for a set that already runs', () => {
    fc.assert(
      fc.property(hostSet, set => {
        expect(plan(set, structuredClone(set))).toEqual({
          removed: [],
          added: [],
          changed: [],
          dns: undefined,
        });
      }),
    );
  });

  it('adds all to an empty host and removes all for an empty set', () => {
    fc.assert(
      fc.property(hostSet, set => {
        expect(plan(EMPTY, set)).toEqual({
          removed: [],
          added: set.subscriptions,
          changed: [],
          dns: set.dns,
        });
        expect(plan(set, EMPTY)).toEqual({
          removed: set.subscriptions,
          added: [],
          changed: [],
          dns: [],
        });
      }),
    );
  });

  it('accounts for every subscription and key of both sets exactly once', () => {
    fc.assert(
      fc.property(hostSet, hostSet, (was, is) => {
        const { removed, added, changed } = plan(was, is);
        const changedIds = new Set(changed.map(k => k.now.id));
        const idle = is.subscriptions.filter(s => !changedIds.has(s.id) && !added.includes(s));
        expect(added.length + changed.length + idle.length).toBe(is.subscriptions.length);
        expect(removed.length + changed.length + idle.length).toBe(was.subscriptions.length);
        for (const k of changed) {
          const stay = k.before.keys.filter(key => !k.removedKeys.includes(key));
          const ids = [...stay, ...k.addedKeys].map(key => `${key.id} ${key.address}`).sort();
          expect(ids).toEqual(k.now.keys.map(key => `${key.id} ${key.address}`).sort());
        }
      }),
    );
  });

  it('restarts a process exactly when its configuration changes', () => {
    let met = 0;
    fc.assert(
      fc.property(hostSet, hostSet, (was, is) => {
        for (const { before, now, restart } of plan(was, inPlace(was, is)).changed) {
          met += 1;
          const differs = renderServerConfig(before, '/run/x') !== renderServerConfig(now, '/run/x');
          expect(restart).toBe(differs);
        }
      }),
    );
    expect(met).toBeGreaterThan(50);
  });

  it("makes a key's session log in again when one of its certificates is newly revoked", () => {
    let met = 0;
    fc.assert(
      fc.property(hostSet, hostSet, (was, is) => {
        for (const { before, now, relogin } of plan(was, inPlace(was, is)).changed) {
          met += 1;
          for (const { keyId, serial } of now.revoked) {
            if (!before.revoked.some(entry => entry.serial === serial)) expect(relogin).toContain(keyId);
          }
          if (now.revoked.length === 0 && before.keys.length === 0) expect(relogin).toEqual([]);
        }
      }),
    );
    expect(met).toBeGreaterThan(50);
  });
});

describe('a set with a conflict', () => {
  const base = fc
    .sample(hostSet, { numRuns: 50, seed: 1 })
    .find(set => set.subscriptions[0]?.keys.length && set.subscriptions[0].prefix6)!;
  const first = base.subscriptions[0]!;
  const other = {
    ...first,
    id: 's_other',
    slot: 99,
    bindAddress: '203.0.113.99',
    prefix6: undefined,
    keys: [],
  };

  it('runs without the later of the two', () => {
    const conflicts = [
      { ...other, slot: first.slot },
      { ...other, bindAddress: first.bindAddress },
      { ...other, prefix6: first.prefix6 },
      { ...other, id: first.id },
      { ...other, keys: first.keys },
      {
        ...other,
        keys: [
          { id: 'k_new_1', address: 2 },
          { id: 'k_new_2', address: 2 },
        ],
      },
      {
        ...other,
        keys: [
          { id: 'k_new_1', address: 2, forwardedPort: 8080 },
          { id: 'k_new_2', address: 3, forwardedPort: 8080 },
        ],
      },
    ];
    for (const conflict of conflicts) {
      const { usable, refused } = withoutConflicts({
        ...base,
        subscriptions: [...base.subscriptions, conflict],
      });
      expect(usable.subscriptions).toEqual(base.subscriptions);
      expect(refused).toEqual([conflict.id]);
    }
    expect(withoutConflicts({ ...base, subscriptions: [...base.subscriptions, other] }).refused).toEqual([]);
  });
});

describe('an address that is the machine’s own', () => {
  it('FV25 is not sold, nor that of its next router; the rest of the set is', () => {
    const someSet = fc.sample(hostSet, { numRuns: 50, seed: 1 }).find(set => set.subscriptions.length > 2)!;
    const [first, ...rest] = someSet.subscriptions;
    const { bindAddress, id } = first!;
    for (const own of [
      [bindAddress, '192.0.2.65'],
      ['192.0.2.66', bindAddress],
    ])
      expect(withoutOwn(someSet, own)).toEqual({
        usable: { ...someSet, subscriptions: rest },
        refused: [id],
      });
    for (const own of [[], ['192.0.2.66', '192.0.2.65']])
      expect(withoutOwn(someSet, own)).toEqual({ usable: someSet, refused: [] });
  });
});
