import { startFakeHcloud } from '@fixpoint/testkit/fake-hcloud.ts';
import { expect, test } from 'vitest';
import { createHcloudRouting } from './hcloud.ts';

/** More than one page. */
const addresses = Array.from({ length: 60 }, (_, n) => `203.0.113.${n}`);
const to = (machine: string | null) => ({ hostId: 'fsn-2', machine });

test('a floating IP is moved from one server to another, once', async () => {
  const hcloud = await startFakeHcloud([1, 2], addresses);
  const { route } = createHcloudRouting(hcloud, 5);
  expect(await route('203.0.113.55/32', to('1'))).toEqual({ routed: true });
  expect(await route('203.0.113.55/32', to('2'))).toEqual({ routed: true });
  expect(await route('203.0.113.55/32', to('2'))).toEqual({ routed: true });
  expect(hcloud.asked).toEqual(['assign 203.0.113.55 1', 'unassign 203.0.113.55', 'assign 203.0.113.55 2']);
  expect(hcloud.ips.find(({ ip }) => ip === '203.0.113.55')?.server).toBe(2);
  await hcloud.stop();
});

test('a refusal by Hetzner is an error with its message, and nothing counts as done', async () => {
  const hcloud = await startFakeHcloud([1], ['203.0.113.1']);
  const { route } = createHcloudRouting(hcloud, 5);
  await expect(route('203.0.113.9/32', to('1'))).rejects.toThrow('no floating IP 203.0.113.9');
  await expect(route('203.0.113.1/32', to('7'))).rejects.toThrow('Hetzner answered 404');
  await expect(route('203.0.113.1/32', to(null))).rejects.toThrow('fsn-2 has no server number');
  const stranger = createHcloudRouting({ ...hcloud, token: 'wrong' });
  await expect(stranger.route('203.0.113.1/32', to('1'))).rejects.toThrow('Hetzner answered 401');
  hcloud.fail(1);
  await expect(route('203.0.113.1/32', to('1'))).rejects.toThrow('is error');
  expect(hcloud.ips[0]?.server).toBeNull();
  expect(await route('203.0.113.1/32', to('1'))).toEqual({ routed: true });
  // The address of a machine is not a server number: the floating IP stays where it is.
  await expect(route('203.0.113.1/32', to('192.0.2.7'))).rejects.toThrow(
    'host set --host fsn-2 --routing hcloud --machine NUMBER',
  );
  expect(hcloud.ips[0]?.server).toBe(1);
  await hcloud.stop();
});
