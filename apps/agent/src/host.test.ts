import { describe, expect, it } from 'vitest';
import { expectInOrder, first, key, recordedHost, second, set, withFirst } from './testing/recorded-host.ts';

describe('a host', () => {
  it('denies a removed key first, and reads its bytes before removing its counter', async () => {
    const { host, taken } = recordedHost();
    await host.apply(withFirst({ keys: [...first!.keys, key] }));
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
    await host.apply(withFirst({ keys: [...first!.keys, key] }));
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
    await host.apply(withFirst({ serverCertificate: 'certificate-c' }));
    expect(taken().filter(step => step.startsWith('start'))).toEqual([`start ${first!.slot}`]);
  });

  it('tells clients to reconnect to a subscription that only gets other addresses', async () => {
    const { host, taken } = recordedHost();
    await host.apply(set);
    taken();
    await host.apply(withFirst({ prefix6: '2001:db8:9::/64' }));
    const steps = taken();
    expect(steps[0]).toBe(`remove ${first!.slot} reconnect`);
    expect(steps.filter(step => step.startsWith('start'))).toEqual([`start ${first!.slot}`]);
  });

  it('V16 forwards another TCP port to the running server, behind the firewall, and starts nothing', async () => {
    const { host, taken, made } = recordedHost();
    await host.apply(set);
    expectInOrder(taken(), ['reset firewall', 'devices', `start ${first!.slot}`, 'relay']);
    await host.apply(withFirst({ tcpPort: 9443 }));
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
    await host.apply(withFirst({ bindAddress: '203.0.113.250' }));
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
      await expect(host.apply(withFirst({ rateMbit: 55 }))).rejects.toThrow('broken');
      for (const state of (await host.report()).subscriptions) expect(state.reason).toBe('applyFailed');
      taken();
      await host.apply(withFirst({ rateMbit: 55 }));
      expect(taken()).toContain('reset firewall');
    }
  });

  it('reports a conflicting subscription as failed and runs the rest', async () => {
    const { host } = recordedHost();
    const twin = { ...first!, id: 's_twin1' };
    await host.apply({ ...set, subscriptions: [...set.subscriptions, twin] });
    const { subscriptions } = await host.report();
    expect(subscriptions).toContainEqual({ id: 's_twin1', state: 'failed', reason: 'conflict' });
    expect(subscriptions.filter(({ state }) => state === 'up')).toHaveLength(set.subscriptions.length);
  });
});
