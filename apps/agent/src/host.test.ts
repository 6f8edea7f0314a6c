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

/** A host whose parts record calls in order; `breaks` makes one of them fail once. */
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

const set = fc.sample(hostSet, { numRuns: 100, seed: 7 }).find(s => s.subscriptions.length > 2)!;
const [first, second] = set.subscriptions;
const key = { id: 'k_extra_1', address: 30 };
const with_ = (change: object): HostSet => ({
  ...set,
  subscriptions: [{ ...first!, ...change }, ...set.subscriptions.slice(1)],
});

/** Expects these steps, each first occurrence after the one before. */
function expectInOrder(steps: readonly string[], order: readonly string[]): void {
  const places = order.map(step => steps.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

describe('a host', () => {
  it('denies a removed key first, and reads its bytes before removing its counter', async () => {
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

  it('allows a new key after its class and address exist, and starts nothing', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    expect(taken()).toEqual(['firewall', 'devices', 'rates', `allow ${first!.slot}`]);
  });

  it('ends the process of a removed subscription before removing its device', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply({ ...set, subscriptions: set.subscriptions.filter(s => s !== second) });
    const steps = taken();
    expect(steps.indexOf(`remove ${second!.slot} stop`)).toBe(0);
    expectInOrder(steps, ['devices go', 'firewall', `forget connections ${second!.slot}`]);
    expect(steps.filter(step => step.startsWith('start'))).toEqual([]);
  });

  it('restarts only the process whose certificate has changed', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ serverCertificate: 'certificate-c' }));
    expect(taken().filter(step => step.startsWith('start'))).toEqual([`start ${first!.slot}`]);
  });

  it('tells clients to reconnect to a subscription that only gets other addresses', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(with_({ prefix6: '2001:db8:9::/64' }));
    const steps = taken();
    expect(steps[0]).toBe(`remove ${first!.slot} reconnect`);
    expect(steps.filter(step => step.startsWith('start'))).toEqual([`start ${first!.slot}`]);
  });

  it('V16 forwards another TCP port to the running server, behind the firewall, and starts nothing', async () => {
    const { host, taken, made } = recordedHost();
    await host.apply(set);
    expectInOrder(taken(), ['reset firewall', 'devices', `start ${first!.slot}`, 'relay']);
    await host.apply(with_({ tcpPort: 9443 }));
    expect(made()).toEqual([first!.id]);
    expect(taken()).toEqual(['firewall', 'devices', 'rates', `allow ${first!.slot}`, 'relay']);
  });

  it('FV18 restarts nothing when its resolvers change', async () => {
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

  it('V25 has no address on its card that its firewall does not list as sold', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    // Strays of an earlier run are removed before the table is reset.
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

  it('FV18 tells clients of stray slots to reconnect when any subscription has moved', async () => {
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

  it('compares with the kernel after a failed change', async () => {
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

  it('FV3 recreates an incomplete firewall, logs it, and reports failure until then', async () => {
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

  it('repairs drift and reports only what remains', async () => {
    const { host, taken, drifts } = recordedHost();
    const more: Drift[] = [{ what: 'firewall', more: 1, missing: 0 }];
    await host.apply(set);
    expect(await host.reconcile()).toBe(false);
    taken();
    // Observed in the middle of a change.
    drifts(more, []);
    expect(await host.reconcile()).toBe(false);
    expect(taken()).toEqual(['read bytes', 'look', 'forget']);
    drifts(more, more, []);
    expect(await host.reconcile()).toBe(false);
    expect(taken()).toEqual(expect.arrayContaining(['drift', 'reset firewall', 'sweep']));
    expect((await host.report()).drift).toEqual([]);
    // Appeared during the repair; the next reconciliation checks it.
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

  it('FV15 counts no byte twice when the second attempt removes a key', async () => {
    const { host, breakAt } = recordedHost();
    await host.apply({ ...set, subscriptions: [{ ...first!, slot: 1 }] });
    breakAt('devices go');
    const none = { ...set, subscriptions: [] };
    await expect(host.apply(none)).rejects.toThrow('broken');
    await host.apply(none);
    const bytes = { downBytes: 3, upBytes: 0 };
    expect((await host.report()).usage).toEqual([{ keyId: 'phone', day: '2026-11-20', ...bytes }]);
  });

  it('S76 FV3 removes deleted keys and recreates its firewall with a full disk', async () => {
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

  it('FV11 makes processes forget disconnected clients even when the kernel refuses', async () => {
    const { host, taken, drifts, breakAt } = recordedHost();
    const more: Drift[] = [{ what: 'firewall', more: 1, missing: 0 }];
    await host.apply(set);
    drifts(more, more);
    breakAt('reset firewall');
    taken();
    await expect(host.reconcile()).rejects.toThrow('broken');
    expect(taken()).toContain('forget');
  });

  it('FV11 deletes the connections of a removed key even if the change fails', async () => {
    const { host, taken, breakAt } = recordedHost();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    breakAt('rates');
    taken();
    await expect(host.apply(set)).rejects.toThrow('broken');
    expect(taken()).toContain(`forget connections ${first!.slot} ${key.id}`);
  });

  it('FV11 deletes the connections of disconnected keys', async () => {
    const { host, taken, leave } = recordedHost();
    await host.apply(with_({ keys: [...first!.keys, key] }));
    leave(key.id, second!.id);
    taken();
    await host.reconcile();
    const forgotten = [`forget connections ${first!.slot} ${key.id}`, `forget connections ${second!.slot}`];
    expect(taken()).toEqual(['read bytes', 'look', 'forget', ...forgotten]);
  });

  it('V16 reports missing relay routes without rebuilding, and no change waits for the relay', async () => {
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

  it('FV8 does not wait for an unresponsive server', async () => {
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

  it('FV8 ends the process of a removed device, and rebuilds until it exists', async () => {
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
    // Also when it happened while the agent was away.
    const later = recordedHost();
    later.devices('gone');
    await later.host.apply(set);
    expectInOrder(later.taken(), again);
  });

  it('reports a conflicting subscription as failed and runs the rest', async () => {
    const { host } = recordedHost();
    const twin = { ...first!, id: 's_twin1' };
    await host.apply({ ...set, subscriptions: [...set.subscriptions, twin] });
    const { subscriptions } = await host.report();
    expect(subscriptions).toContainEqual({ id: 's_twin1', state: 'failed', reason: 'conflict' });
    expect(subscriptions.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length);
  });

  describe('FV25 with a sold address that is the machine’s own', () => {
    const gone = { id: first!.id, state: 'failed', reason: 'ownAddress' };
    const asked = async (host: Host) => (await host.report()).subscriptions;

    const isFirst = async () => [first!.bindAddress];

    it('reports its own addresses and their changes, and nothing before the first check', async () => {
      const { host, own } = recordedHost();
      expect(await host.report()).not.toHaveProperty('ownAddresses');
      own(isFirst);
      await host.apply({ ...set, subscriptions: [] });
      expect((await host.report()).ownAddresses).toEqual(await isFirst());
      own(async () => ['192.0.2.66']);
      expect(await host.reconcile()).toBe(true);
      expect((await host.report()).ownAddresses).toEqual(['192.0.2.66']);
    });

    it('runs the rest, and reports the one as failed', async () => {
      const { host, own, made } = recordedHost();
      own(isFirst);
      await host.apply(set);
      expect(made()).toEqual(set.subscriptions.slice(1).map(({ id }) => id));
      const reported = await asked(host);
      expect(reported).toContainEqual(gone);
      expect(reported.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length - 1);
    });

    it('checks its own addresses before adding an address, and not before denying a key', async () => {
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

    it('ends a subscription when its address becomes the machine’s own, and serves it again afterwards', async () => {
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

    it('retries a failed change at the next reconciliation, because no call repeats it', async () => {
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
