import { describe, expect, it } from 'vitest';
import type { Host } from './host.ts';
import { expectInOrder, first, recordedHost, set } from './testing/recorded-host.ts';

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
