import type { Drift } from '@fixpoint/contract/agent.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createHost } from '../host.ts';
import type { HostSet } from '../plan.ts';
import { newUsage, type Usage } from '../usage.ts';
import { usageFiles } from '../usage-files.ts';
import { hostSet } from './arbitrary.ts';

const EPOCH = 'e'.repeat(32);
export const none = async (): Promise<Drift[]> => [];

/** A host whose parts record calls in order; `breaks` makes one of them fail once. */
export function recordedHost() {
  const steps: string[] = [];
  let breaks: string | undefined;
  let whole = true;
  let drifts: Drift[][] = [];
  let relayDrift = none;
  let looks: () => Promise<unknown> = async () => undefined;
  let devices: 'there' | 'gone' = 'there';
  let leaves: string[] = [];
  let own = async (): Promise<string[]> => [];
  let saved: Usage = newUsage(EPOCH);
  const clock = () => new Date('2026-11-20T00:00:00Z');
  const log = (event: string) => void steps.push(event);
  let full = false;
  let counted = 0;
  let made: string[] = [];
  const usageFile = {
    load: () => saved,
    save: (usage: Usage) => {
      if (full) throw new Error('no space left on device');
      saved = usage;
    },
  };
  const step = async (name: string) => {
    steps.push(name);
    if (breaks === name) {
      breaks = undefined;
      throw new Error('broken');
    }
  };
  const host = createHost({
    netdev: {
      configure: () => step('configure'),
      own: () => own(),
      slots: async () => (devices === 'there' ? set.subscriptions.map(({ slot }) => slot) : []),
      remove: async gone => {
        if (gone.length > 0) await step('devices go');
      },
      add: async those => {
        made = those.map(({ id }) => id);
        await step('devices');
      },
      sweep: () => step('sweep'),
      bytes: () => new Map(),
      drift: async () => (devices === 'gone' ? [{ what: 'device', more: 0, missing: 1 }] : []),
    },
    nat: {
      reset: () => step('reset firewall'),
      apply: () => step('firewall'),
      forget: async gone => {
        for (const { slot, keys } of gone)
          if (!keys) steps.push(`forget connections ${slot}`);
          else steps.push(...keys.map(({ id }) => `forget connections ${slot} ${id}`));
      },
      read: async () => {
        steps.push('read bytes');
        counted += 1;
        return {
          bytes: new Map([
            ['d1', counted],
            ['d1_phone', counted],
          ]),
          whole,
        };
      },
      drift: async () => drifts.shift() ?? [],
    },
    shaper: {
      prepare: () => step('prepare'),
      apply: () => step('rates'),
      drift: none,
      sweep: () => step('sweep rates'),
    },
    deliveryCheck: { track: () => undefined, state: () => ({ state: 'up' }) },
    relay: { setRoutes: () => void steps.push('relay'), drift: () => relayDrift() },
    daemon: {
      slots: () => [],
      deny: s => step(`deny ${s.slot}`),
      allow: s => void steps.push(`allow ${s.slot}`),
      start: s => step(`start ${s.slot}`),
      remove: (slot, clients) => step(`remove ${slot} ${clients}`),
      async killUnresponsive() {
        await step('look');
        await looks();
      },
      devices: async () => [],
      restart: slot => step(`restart ${slot}`),
      forget: async (subscriptions, left) => {
        await step('forget');
        for (const id of leaves.splice(0)) {
          const s = subscriptions.find(one => one.id === id || one.keys.some(key => key.id === id))!;
          const keys = s.keys.filter(key => key.id === id);
          await left(keys.length > 0 ? { slot: s.slot, keys } : { slot: s.slot });
        }
      },
      state: () => ({ state: 'up' }),
      drift: none,
    },
    newEpoch: () => 'test',
    usageFiles: usageFiles({ running: usageFile, disk: usageFile }, clock, log),
    clock,
    log,
    alive: () => undefined,
  });
  return {
    host,
    breakAt: (name: string) => {
      breaks = name;
    },
    /** Changes the firewall from outside, or restores it. */
    firewall: (is: 'whole' | 'broken') => {
      whole = is === 'whole';
    },
    /** Sets the drift of the firewall at the next checks. */
    drifts: (...next: Drift[][]) => {
      drifts = next;
    },
    /** Sets the relay's drift. */
    relayDrift: (answers: () => Promise<Drift[]>) => {
      relayDrift = answers;
    },
    /** Sets the addresses by which the machine reaches the internet. */
    own: (next: () => Promise<string[]>) => {
      own = next;
    },
    /** Sets what the check for unresponsive servers waits for. */
    looks: (next: () => Promise<unknown>) => {
      looks = next;
    },
    /** Removes all devices again and again, or stops doing so. */
    devices: (are: 'there' | 'gone') => {
      devices = are;
    },
    /** Makes the last clients of these subscriptions, or some keys, disconnect. */
    leave: (...ids: string[]) => {
      leaves = ids;
    },
    /** Makes the disk full. */
    fill: () => {
      full = true;
    },
    /** Subscriptions whose devices, addresses and ports were ensured last. */
    made: () => made,
    /** Steps since the last call. */
    taken: () => steps.splice(0),
  };
}

export const set = fc.sample(hostSet, { numRuns: 100, seed: 7 }).find(s => s.subscriptions.length > 2)!;
export const [first, second] = set.subscriptions;
export const key = { id: 'k_extra_1', address: 30 };
export const withFirst = (change: object): HostSet => ({
  ...set,
  subscriptions: [{ ...first!, ...change }, ...set.subscriptions.slice(1)],
});

/** Expects these steps, each first occurrence after the one before. */
export function expectInOrder(steps: readonly string[], order: readonly string[]): void {
  const places = order.map(step => steps.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}
