import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHost } from './host.ts';
import { deviceCounters } from './layout.ts';
import type { HostSet } from './plan.ts';
import { hostSet } from './testing/arbitrary.ts';
import { newUsage, type Usage } from './usage.ts';

/** A host of parts that write down what they are asked, in order; `breaks` makes one of them fail once. */
const EPOCH = 'e'.repeat(32);

function recordedHost() {
  const steps: string[] = [];
  let breaks: string | undefined;
  let whole = true;
  let devices = 5;
  let saved: Usage = newUsage(EPOCH);
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
      slots: async () => [],
      apply: () => step('devices'),
      sweep: () => step('sweep'),
      bytes: () =>
        new Map(Array.from({ length: devices }, (_, n) => [deviceCounters({ slot: n + 1 }).down, 0])),
    },
    nat: {
      reset: () => step('reset firewall'),
      apply: () => step('firewall'),
      read: async () => {
        steps.push('read bytes');
        return { bytes: new Map(), whole };
      },
    },
    shaper: { prepare: () => step('prepare'), apply: () => step('rates') },
    tunnels: {
      slots: () => [],
      deny: s => step(`deny ${s.slot}`),
      allow: s => void steps.push(`allow ${s.slot}`),
      start: s => step(`start ${s.slot}`),
      stop: slot => step(`stop ${slot}`),
      remove: slot => step(`remove ${slot}`),
      look: () => step('look'),
      state: () => ({ state: 'up' }),
    },
    newEpoch: () => 'test',
    usageFile: {
      load: () => saved,
      save: usage => {
        saved = usage;
      },
    },
    clock: () => new Date('2026-11-20T00:00:00Z'),
    log: event => void steps.push(event),
    alive: () => undefined,
  });
  return {
    host,
    breakAt: (name: string) => {
      breaks = name;
    },
    /** Somebody changes the firewall, or puts it right. */
    firewall: (is: 'whole' | 'broken') => {
      whole = is === 'whole';
    },
    /** Somebody takes all devices away, or they are there. */
    devices: (are: 'there' | 'gone') => {
      devices = are === 'there' ? 5 : 0;
    },
    /** Steps since the last question. */
    taken: () => steps.splice(0),
  };
}

const set = fc.sample(hostSet, { numRuns: 100, seed: 7 }).find(s => s.subscriptions.length > 2)!;
const [first, second] = set.subscriptions;
const key = { id: 'k_extra_1', address: 30 };
const with_ = (change: object): HostSet => ({
  ...set,
  subscriptions: [{ ...first!, ...change }, ...set.subscriptions.slice(1)],
});

describe('a host', () => {
  it('denies a removed key before anything else, and reads its bytes before its counter goes', async () => {
    const { host, taken } = recordedHost();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    taken();
    await host.apply(set);
    expect(taken()).toEqual([
      `deny ${first!.slot}`,
      'read bytes',
      'devices',
      'firewall',
      'rates',
      `allow ${first!.slot}`,
    ]);
  });

  it('lets a new key in after its class and address are there, and starts nothing', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    expect(taken()).toEqual(['devices', 'firewall', 'rates', `allow ${first!.slot}`]);
  });

  it('ends the process of a removed subscription before its device goes', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply({ ...set, subscriptions: set.subscriptions.filter(s => s !== second) });
    const steps = taken();
    expect(steps.indexOf(`remove ${second!.slot}`)).toBe(0);
    expect(steps.indexOf('devices')).toBeGreaterThan(0);
    expect(steps.filter(step => step.startsWith('start'))).toEqual([]);
  });

  it('restarts only the process whose certificate is another', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ serverCertificate: 'certificate-c' }));
    expect(taken().filter(step => /^(start|stop)/.test(step))).toEqual([
      `stop ${first!.slot}`,
      `start ${first!.slot}`,
    ]);
  });

  it('opens forwarding only behind its firewall, and starts processes last', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    const steps = taken();
    const order = ['reset firewall', 'configure', 'devices', 'rates', `start ${first!.slot}`];
    expect(order.map(step => steps.indexOf(step))).toEqual(
      order.map(step => steps.indexOf(step)).sort((a, b) => a - b),
    );
    expect(order.every(step => steps.includes(step))).toBe(true);
  });

  it('does nothing for the set that it runs', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(structuredClone(set));
    expect(taken().filter(step => !['devices', 'firewall', 'rates'].includes(step))).toEqual([]);
  });

  it('compares with what is really there after a change that broke off', async () => {
    for (const part of ['devices', 'firewall', 'rates']) {
      const { host, taken, breakAt } = recordedHost();
      await host.apply(set);
      breakAt(part);
      await expect(host.apply(with_({ rateMbit: 55 }))).rejects.toThrow('broken');
      for (const state of (await host.report()).subscriptions) expect(state.reason).toBe('applyFailed');
      taken();
      await host.apply(with_({ rateMbit: 55 }));
      expect(taken()).toContain('reset firewall');
    }
  });

  it('FV3 makes a firewall again that is not whole, says so, and is down until it is', async () => {
    const { host, taken, breakAt, firewall } = recordedHost();
    await host.apply(set);
    taken();
    await host.look();
    expect(taken()).toEqual(['read bytes', 'look']);
    firewall('broken');
    breakAt('reset firewall');
    await expect(host.look()).rejects.toThrow('broken');
    for (const state of (await host.report()).subscriptions) expect(state.reason).toBe('firewallMissing');
    taken();
    await host.look();
    expect(taken()).toEqual(['read bytes', 'reset firewall', 'firewallRebuilt', 'look']);
    for (const { state } of (await host.report()).subscriptions) expect(state).toBe('up');
  });

  it('FV8 ends the process of a device that was taken away, and makes all of it again until it is there', async () => {
    const { host, taken, breakAt, devices } = recordedHost();
    await host.apply(set);
    taken();
    devices('gone');
    breakAt('rates');
    await expect(host.look()).rejects.toThrow('broken');
    expect(taken()).not.toContain(`start ${first!.slot}`);
    await host.look();
    const steps = taken();
    const order = ['look', `remove ${first!.slot}`, 'devices', 'rates', `start ${first!.slot}`];
    expect(order.map(step => steps.indexOf(step))).toEqual(
      order.map(step => steps.indexOf(step)).sort((a, b) => a - b),
    );
    expect(order.every(step => steps.includes(step))).toBe(true);
  });

  it('reports a subscription that conflicts with another as failed and runs the rest', async () => {
    const { host } = recordedHost();
    const twin = { ...first!, id: 's_twin1' };
    await host.apply({ ...set, subscriptions: [...set.subscriptions, twin] });
    const { subscriptions } = await host.report();
    expect(subscriptions).toContainEqual({ id: 's_twin1', state: 'failed', reason: 'conflict' });
    expect(subscriptions.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length);
  });
});
