import type { Drift } from '@fixpoint/contract/agent.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHost, type Host } from './host.ts';
import type { HostSet } from './plan.ts';
import { hostSet } from './testing/arbitrary.ts';
import { newUsage, type Usage } from './usage.ts';
import { usageFiles } from './usage-files.ts';

const EPOCH = 'e'.repeat(32);
const none = async (): Promise<Drift[]> => [];

/** A host of parts that write down what they are asked, in order; `breaks` makes one of them fail once. */
function recordedHost() {
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
    /** Somebody changes the firewall, or puts it right. */
    firewall: (is: 'whole' | 'broken') => {
      whole = is === 'whole';
    },
    /** What the firewall will be seen to have too much or too little of, one look after the other. */
    drifts: (...next: Drift[][]) => {
      drifts = next;
    },
    /** What the relay answers. */
    relayDrift: (answers: () => Promise<Drift[]>) => {
      relayDrift = answers;
    },
    /** By which addresses the machine itself reaches the internet. */
    own: (next: () => Promise<string[]>) => {
      own = next;
    },
    /** How long a look at the servers takes. */
    looks: (next: () => Promise<unknown>) => {
      looks = next;
    },
    /** Somebody takes all devices away, again and again, or lets them be. */
    devices: (are: 'there' | 'gone') => {
      devices = are;
    },
    /** Subscriptions that their last client has left, and keys that have while others stay. */
    leave: (...ids: string[]) => {
      leaves = ids;
    },
    /** Its disk takes nothing any more. */
    fill: () => {
      full = true;
    },
    /** Subscriptions whose devices, addresses and ports were made sure of last. */
    made: () => made,
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

/** All of these were taken, each first one after the one before. */
function expectInOrder(steps: readonly string[], order: readonly string[]): void {
  const places = order.map(step => steps.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

describe('a host', () => {
  it('denies a removed key before anything else, and reads its bytes before its counter goes', async () => {
    const { host, taken } = recordedHost();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    taken();
    await host.apply(set);
    expect(taken()).toEqual([
      `deny ${first!.slot}`,
      'read bytes',
      'firewall',
      `forget connections ${first!.slot} ${key.id}`,
      'devices',
      'rates',
      `allow ${first!.slot}`,
    ]);
  });

  it('lets a new key in after its class and address are there, and starts nothing', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    expect(taken()).toEqual(['firewall', 'devices', 'rates', `allow ${first!.slot}`]);
  });

  it('ends the process of a removed subscription before its device goes', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply({ ...set, subscriptions: set.subscriptions.filter(s => s !== second) });
    const steps = taken();
    expect(steps.indexOf(`remove ${second!.slot} stop`)).toBe(0);
    expectInOrder(steps, ['devices go', 'firewall', `forget connections ${second!.slot}`]);
    expect(steps.filter(step => step.startsWith('start'))).toEqual([]);
  });

  it('restarts only the process whose certificate is another', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ serverCertificate: 'certificate-c' }));
    expect(taken().filter(step => step.startsWith('start'))).toEqual([`start ${first!.slot}`]);
  });

  it('tells clients to come back to a subscription that only gets other addresses', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ prefix6: '2001:db8:9::/64' }));
    const steps = taken();
    expect(steps[0]).toBe(`remove ${first!.slot} reconnect`);
    expect(steps.filter(step => step.startsWith('start'))).toEqual([`start ${first!.slot}`]);
  });

  it('V16 has another port of TCP led to the server that runs, behind the firewall, and starts nothing', async () => {
    const { host, taken, made } = recordedHost();
    await host.apply(set);
    expectInOrder(taken(), ['reset firewall', 'devices', `start ${first!.slot}`, 'relay']);
    await host.apply(with_({ tcpPort: 9443 }));
    expect(made()).toEqual([first!.id]);
    expect(taken()).toEqual(['firewall', 'devices', 'rates', `allow ${first!.slot}`, 'relay']);
  });

  it('FV18 starts nothing again when its resolvers are others', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply({ ...set, dns: ['149.112.112.112'] });
    expect(taken()).toEqual(['firewall', 'devices', 'rates']);
  });

  it('opens forwarding only behind its firewall, and starts processes last', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    expectInOrder(taken(), ['reset firewall', 'configure', 'devices', 'rates', `start ${first!.slot}`]);
  });

  it('V25 has no address on its card that its firewall does not know as sold', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    // Strays of an earlier run go before the table is made without them.
    expectInOrder(taken(), ['sweep', 'reset firewall', 'devices']);
    await host.apply(with_({ bindAddress: '203.0.113.250' }));
    expectInOrder(taken(), ['devices go', 'firewall', 'devices']);
  });

  it('does nothing for the set that it runs', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(structuredClone(set));
    expect(taken().filter(step => !['firewall', 'devices', 'rates'].includes(step))).toEqual([]);
  });

  it('FV18 tells whom it finds without being wanted to come back where anybody has moved', async () => {
    for (const [moved, clients] of [
      [[second!.id], 'reconnect'],
      [[], 'stop'],
    ] as const) {
      const { host, taken } = recordedHost();
      await host.apply({
        ...set,
        moved: [...moved],
        subscriptions: set.subscriptions.filter(s => s !== second),
      });
      expect(taken()).toContain(`remove ${second!.slot} ${clients}`);
    }
    const { host, taken } = recordedHost();
    await host.apply({ ...set, subscriptions: [] });
    expect(taken()).toContain(`remove ${second!.slot} reconnect`);
  });

  it('compares with what is really there after a change that broke off', async () => {
    for (const part of ['firewall', 'devices', 'rates']) {
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
    await host.reconcile();
    expect(taken()).toEqual(['read bytes', 'look', 'forget']);
    firewall('broken');
    breakAt('reset firewall');
    await expect(host.reconcile()).rejects.toThrow('broken');
    for (const state of (await host.report()).subscriptions) expect(state.reason).toBe('firewallMissing');
    taken();
    await host.reconcile();
    expect(taken()).toEqual(['read bytes', 'reset firewall', 'firewallRebuilt', 'look', 'forget']);
    for (const { state } of (await host.report()).subscriptions) expect(state).toBe('up');
  });

  it('puts right what is not as its set says, and tells only what stays so', async () => {
    const { host, taken, drifts } = recordedHost();
    const more: Drift[] = [{ what: 'firewall', more: 1, missing: 0 }];
    await host.apply(set);
    expect(await host.reconcile()).toBe(false);
    taken();
    // Seen in the middle of a change.
    drifts(more, []);
    expect(await host.reconcile()).toBe(false);
    expect(taken()).toEqual(['read bytes', 'look', 'forget']);
    drifts(more, more, []);
    expect(await host.reconcile()).toBe(false);
    expect(taken()).toEqual(expect.arrayContaining(['drift', 'reset firewall', 'sweep']));
    expect((await host.report()).drift).toEqual([]);
    // Another one came while the first was put right: its own look is the next.
    const other: Drift[] = [{ what: 'client', more: 1, missing: 0 }];
    drifts(more, more, other);
    expect(await host.reconcile()).toBe(false);
    expect((await host.report()).drift).toEqual([]);
    drifts(more, more, [...more, ...other]);
    expect(await host.reconcile()).toBe(true);
    expect((await host.report()).drift).toEqual(more);
    expect(await host.reconcile()).toBe(true);
    expect((await host.report()).drift).toEqual([]);
  });

  it('FV15 counts no byte twice of what is taken out at the second try', async () => {
    const { host, breakAt } = recordedHost();
    await host.apply({ ...set, subscriptions: [{ ...first!, slot: 1 }] });
    breakAt('devices go');
    const none = { ...set, subscriptions: [] };
    await expect(host.apply(none)).rejects.toThrow('broken');
    await host.apply(none);
    const bytes = { downBytes: 3, upBytes: 0 };
    expect((await host.report()).usage).toEqual([{ keyId: 'phone', day: '2026-11-20', ...bytes }]);
  });

  it('S76 FV3 takes out who has ended, and makes its firewall again, though its disk is full', async () => {
    const { host, taken, firewall, fill } = recordedHost();
    await host.apply(set);
    fill();
    taken();
    await host.apply({ ...set, subscriptions: set.subscriptions.slice(1) });
    expectInOrder(taken(), [`remove ${first!.slot} stop`, 'notSaved', 'devices go', 'firewall']);
    firewall('broken');
    await host.reconcile();
    expect(taken()).toContain('firewallRebuilt');
  });

  it('FV11 has processes forget who has left also when the kernel refuses', async () => {
    const { host, taken, drifts, breakAt } = recordedHost();
    const more: Drift[] = [{ what: 'firewall', more: 1, missing: 0 }];
    await host.apply(set);
    drifts(more, more);
    breakAt('reset firewall');
    taken();
    await expect(host.reconcile()).rejects.toThrow('broken');
    expect(taken()).toContain('forget');
  });

  it('FV11 has the kernel forget the connections of a removed key though the change breaks off', async () => {
    const { host, taken, breakAt } = recordedHost();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    breakAt('rates');
    taken();
    await expect(host.apply(set)).rejects.toThrow('broken');
    expect(taken()).toContain(`forget connections ${first!.slot} ${key.id}`);
  });

  it('FV11 has the kernel forget the connections of whoever has left', async () => {
    const { host, taken, leave } = recordedHost();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    leave(key.id, second!.id);
    taken();
    await host.reconcile();
    const forgotten = [`forget connections ${first!.slot} ${key.id}`, `forget connections ${second!.slot}`];
    expect(taken()).toEqual(['read bytes', 'look', 'forget', ...forgotten]);
  });

  it('V16 tells what its relay has not, makes nothing again for it, and waits for it in no change', async () => {
    const { host, taken, relayDrift } = recordedHost();
    const missing: Drift[] = [{ what: 'relay', more: 0, missing: 1 }];
    const [asked, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<Drift[]>()];
    await host.apply(set);
    taken();
    relayDrift(() => {
      asked.resolve();
      return silent.promise;
    });
    const reconciled = host.reconcile();
    await asked.promise;
    await host.apply(with_({ rateMbit: 55 }));
    silent.resolve(missing);
    expect(await reconciled).toBe(true);
    expect((await host.report()).drift).toEqual(missing);
    expect(taken()).not.toContain('reset firewall');
    relayDrift(none);
    expect(await host.reconcile()).toBe(true);
    expect((await host.report()).drift).toEqual([]);
  });

  it('FV8 has nobody wait for a server that does not answer', async () => {
    const { host, taken, looks } = recordedHost();
    const [looked, silent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await host.apply(with_({ keys: [...first!.keys, key] }));
    looks(() => {
      looked.resolve();
      return silent.promise;
    });
    const reconciled = host.reconcile();
    await looked.promise;
    taken();
    await host.apply(set);
    expect(taken()[0]).toBe(`deny ${first!.slot}`);
    silent.resolve();
    await reconciled;
  });

  it('FV8 ends the process of a device that was taken away, and makes all of it again until it is there', async () => {
    const { host, taken, breakAt, devices } = recordedHost();
    await host.apply(set);
    taken();
    devices('gone');
    breakAt('rates');
    await expect(host.reconcile()).rejects.toThrow('broken');
    expect(taken()).not.toContain(`start ${first!.slot}`);
    await host.reconcile();
    const again = [`remove ${first!.slot} reconnect`, 'devices', 'rates', `start ${first!.slot}`];
    expectInOrder(taken(), ['look', ...again]);
    // Or while the agent was away.
    const later = recordedHost();
    later.devices('gone');
    await later.host.apply(set);
    expectInOrder(later.taken(), again);
  });

  it('reports a subscription that conflicts with another as failed and runs the rest', async () => {
    const { host } = recordedHost();
    const twin = { ...first!, id: 's_twin1' };
    await host.apply({ ...set, subscriptions: [...set.subscriptions, twin] });
    const { subscriptions } = await host.report();
    expect(subscriptions).toContainEqual({ id: 's_twin1', state: 'failed', reason: 'conflict' });
    expect(subscriptions.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length);
  });

  describe('FV25 with an address to sell that is the machine’s own', () => {
    const gone = { id: first!.id, state: 'failed', reason: 'ownAddress' };
    const asked = async (host: Host) => (await host.report()).subscriptions;

    const isFirst = async () => [first!.bindAddress];

    it('tells the shop which those are, and again when they are others; nothing before it has looked', async () => {
      const { host, own } = recordedHost();
      expect(await host.report()).not.toHaveProperty('ownAddresses');
      own(isFirst);
      await host.apply({ ...set, subscriptions: [] });
      expect((await host.report()).ownAddresses).toEqual(await isFirst());
      own(async () => ['192.0.2.66']);
      expect(await host.reconcile()).toBe(true);
      expect((await host.report()).ownAddresses).toEqual(['192.0.2.66']);
    });

    it('runs the rest, and says so of the one', async () => {
      const { host, own, made } = recordedHost();
      own(isFirst);
      await host.apply(set);
      expect(made()).toEqual(set.subscriptions.slice(1).map(({ id }) => id));
      const reported = await asked(host);
      expect(reported).toContainEqual(gone);
      expect(reported.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length - 1);
    });

    it('asks which those are before an address comes, and not before a key is denied', async () => {
      const { host, own, made, taken } = recordedHost();
      const others = set.subscriptions.slice(1);
      await host.apply({ ...set, subscriptions: others });
      own(isFirst);
      await host.apply(set);
      expect(await asked(host)).toContainEqual(gone);
      expect(made()).toEqual([]);
      await host.apply({ ...set, subscriptions: others });
      taken();
      own(() => new Promise(() => undefined));
      await host.apply({ ...set, subscriptions: others.map(s => ({ ...s, keys: [] })) });
      expect(taken()).toContain(`deny ${others.find(({ keys }) => keys.length > 0)!.slot}`);
    });

    it('ends it when its address becomes that, which it sees by itself, and serves it when it is that no more', async () => {
      const { host, own, taken } = recordedHost();
      await host.apply(set);
      own(isFirst);
      taken();
      expect(await host.reconcile()).toBe(true);
      expectInOrder(taken(), [`remove ${first!.slot} reconnect`, 'devices go', 'firewall']);
      expect(await asked(host)).toContainEqual(gone);
      expect(await host.reconcile()).toBe(false);
      own(async () => ['192.0.2.66']);
      expect(await host.reconcile()).toBe(true);
      expect(taken()).toContain(`start ${first!.slot}`);
      expect((await asked(host)).map(({ state }) => state)).toEqual(set.subscriptions.map(() => 'up'));
    });

    it('goes on with it at the next look when that breaks off: nobody orders it again', async () => {
      const { host, own, breakAt } = recordedHost();
      await host.apply(set);
      own(isFirst);
      breakAt('firewall');
      await expect(host.reconcile()).rejects.toThrow('broken');
      await host.reconcile();
      const reported = await asked(host);
      expect(reported).toContainEqual(gone);
      expect(reported.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length - 1);
    });
  });
});
