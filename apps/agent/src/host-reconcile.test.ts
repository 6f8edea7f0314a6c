import type { Drift } from '@fixpoint/contract/agent.ts';
import { describe, expect, it } from 'vitest';
import {
  expectInOrder,
  first,
  key,
  none,
  recordedHost,
  second,
  set,
  withFirst,
} from './testing/recorded-host.ts';

describe('a host at its reconciliation', () => {
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
    await host.apply(withFirst({ keys: [...first!.keys, key] }));
    breakAt('rates');
    taken();
    await expect(host.apply(set)).rejects.toThrow('broken');
    expect(taken()).toContain(`forget connections ${first!.slot} ${key.id}`);
  });

  it('FV11 deletes the connections of disconnected keys', async () => {
    const { host, taken, leave } = recordedHost();
    await host.apply(withFirst({ keys: [...first!.keys, key] }));
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
    await host.apply(withFirst({ rateMbit: 55 }));
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
    await host.apply(withFirst({ keys: [...first!.keys, key] }));
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
});
