import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Check, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeliveryCheck, withProbes } from './delivery-check.ts';
import { hostSet } from './testing/arbitrary.ts';

const set = fc.sample(hostSet, { numRuns: 100, seed: 7 }).find(s => s.subscriptions.length > 1)!;
const probe = { id: 'probe_s_test1', address: 32, certificate: 'certificate', key: 'key' };
const fresh: DesiredSubscription = { ...set.subscriptions[0]!, probe };

/**
 * A delivery check whose probes have these results in turn, and the last one from then on; `never`
 * does not finish.
 */
function deliveryCheck(...ends: (Check[] | Error | 'never')[]) {
  const counts = { changes: 0, tried: 0, atOnce: 0, maxConcurrent: 0 };
  const made = createDeliveryCheck(
    async () => {
      counts.tried += 1;
      counts.atOnce += 1;
      counts.maxConcurrent = Math.max(counts.maxConcurrent, counts.atOnce);
      const end = (ends.length > 1 ? ends.shift() : ends[0])!;
      await (end === 'never' ? new Promise(() => undefined) : sleep(5));
      counts.atOnce -= 1;
      if (end instanceof Error) throw end;
      return end as Check[];
    },
    () => undefined,
    () => {
      counts.changes += 1;
    },
    { pause: 1, timeout: ends.includes('never') ? 300 : 30_000 },
  );
  return { ...made, counts };
}

describe('a subscription that nobody has used', () => {
  it('is checking before it is up, and up without failed checks after success', async () => {
    const { track, state, counts } = deliveryCheck([]);
    track([fresh]);
    expect(state(fresh)).toEqual({ state: 'checking' });
    await expect.poll(() => state(fresh)).toEqual({ state: 'up', unproven: [] });
    expect(counts.changes).toBe(1);
  });

  it('is up with the checks that failed twice', async () => {
    const { track, state, counts } = deliveryCheck(['dns'], ['address', 'dns']);
    track([fresh]);
    await expect.poll(() => state(fresh)).toEqual({ state: 'up', unproven: ['address', 'dns'] });
    expect(counts).toMatchObject({ tried: 2, changes: 1 });
  });

  it('is up without failed checks when the second attempt succeeds', async () => {
    const { track, state } = deliveryCheck(['dns'], []);
    track([fresh]);
    await expect.poll(() => state(fresh)).toEqual({ state: 'up', unproven: [] });
  });

  it('is up and reported as unchecked where the host cannot probe', async () => {
    const { track, state } = deliveryCheck(new Error('no such thing'));
    track([fresh]);
    await expect.poll(() => state(fresh)).toEqual({ state: 'up', unproven: ['probe'] });
  });

  it('is up after the timeout of an endless probe', async () => {
    const { track, state, counts } = deliveryCheck('never');
    track([fresh]);
    expect(state(fresh)).toEqual({ state: 'checking' });
    await expect.poll(() => state(fresh)).toEqual({ state: 'up' });
    expect(counts.changes).toBe(1);
  });

  it('is checked again at another address', async () => {
    const { track, state } = deliveryCheck(['tunnel'], ['tunnel'], []);
    track([fresh]);
    await expect.poll(() => state(fresh)).toEqual({ state: 'up', unproven: ['tunnel'] });
    const moved = { ...fresh, slot: 77 };
    track([moved]);
    expect(state(moved)).toEqual({ state: 'checking' });
    await expect.poll(() => state(moved)).toEqual({ state: 'up', unproven: [] });
  });
});

it('hundreds of new ones are probed four at a time', async () => {
  const { track, state, counts } = deliveryCheck([]);
  const all = Array.from({ length: 100 }, (_, n) => ({ ...fresh, id: `s_${n}`, slot: n + 1 }));
  track(all);
  await expect.poll(() => all.every(s => state(s).state === 'up')).toBe(true);
  expect(counts.maxConcurrent).toBe(4);
});

it('one that is withdrawn while it waits is not probed', async () => {
  const { track, counts } = deliveryCheck([]);
  track(Array.from({ length: 20 }, (_, n) => ({ ...fresh, id: `s_${n}`, slot: n + 1 })));
  await nextTurn();
  track([]);
  await sleep(50);
  expect(counts).toMatchObject({ tried: 4, changes: 0 });
});

it('one without a probe is up when its server is', () => {
  const { track, state, counts } = deliveryCheck(['tunnel']);
  track(set.subscriptions);
  expect(state(set.subscriptions[0]!)).toEqual({ state: 'up' });
  expect(counts.tried).toBe(0);
});

it('a probe has everything on the host that a key has', () => {
  const { subscriptions } = withProbes({ ...set, subscriptions: [fresh, ...set.subscriptions.slice(1)] });
  expect(subscriptions[0]!.keys).toEqual([...fresh.keys, { id: probe.id, address: 32 }]);
  expect(subscriptions.slice(1)).toEqual(set.subscriptions.slice(1));
});
