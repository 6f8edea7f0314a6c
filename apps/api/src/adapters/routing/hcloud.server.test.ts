import { startHcloud } from '@fixpoint/testkit/hcloud.ts';
import { expect, test } from 'vitest';
import { createHcloudRouting } from './hcloud.ts';

/** More than a page of them. */
const addresses = Array.from({ length: 60 }, (_, n) => `203.0.113.${n}`);
const to = (machine: string | null) => ({ hostId: 'fsn-2', machine });

test('a floating IP goes from one server to another, once', async () => {
  const hcloud = await startHcloud([1, 2], addresses);
  const { lead } = createHcloudRouting(hcloud, 5);
  expect(await lead('203.0.113.55/32', to('1'))).toEqual({ routed: true });
  expect(await lead('203.0.113.55/32', to('2'))).toEqual({ routed: true });
  expect(await lead('203.0.113.55/32', to('2'))).toEqual({ routed: true });
  expect(hcloud.asked).toEqual(['assign 203.0.113.55 1', 'unassign 203.0.113.55', 'assign 203.0.113.55 2']);
  expect(hcloud.ips.find(({ ip }) => ip === '203.0.113.55')?.server).toBe(2);
  await hcloud.stop();
});

test('what Hetzner refuses is a fault with its words, and nothing is taken for done', async () => {
  const hcloud = await startHcloud([1], ['203.0.113.1']);
  const { lead } = createHcloudRouting(hcloud, 5);
  await expect(lead('203.0.113.9/32', to('1'))).rejects.toThrow('no floating IP 203.0.113.9');
  await expect(lead('203.0.113.1/32', to('7'))).rejects.toThrow('Hetzner answered 404');
  await expect(lead('203.0.113.1/32', to(null))).rejects.toThrow('fsn-2 has no number of a server');
  const stranger = createHcloudRouting({ ...hcloud, token: 'wrong' });
  await expect(stranger.lead('203.0.113.1/32', to('1'))).rejects.toThrow('Hetzner answered 401');
  hcloud.fail(1);
  await expect(lead('203.0.113.1/32', to('1'))).rejects.toThrow('is error');
  expect(hcloud.ips[0]?.server).toBeNull();
  expect(await lead('203.0.113.1/32', to('1'))).toEqual({ routed: true });
  // The address of a machine is no number: the floating IP stays where it is led to.
  await expect(lead('203.0.113.1/32', to('192.0.2.7'))).rejects.toThrow(
    'host set --host fsn-2 --routing hcloud --machine NUMBER',
  );
  expect(hcloud.ips[0]?.server).toBe(1);
  await hcloud.stop();
});
