import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { ended } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostHasIpv6 } from './testing/observe.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { sell, unproven } from './testing/subscriptions.ts';

/** Delivery checks of unused subscriptions, with a real client of the host. */
let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene?.end());

/** Rules of an operator next to ours. */
const BESIDE = [
  'add table inet beside',
  'add chain inet beside forward { type filter hook forward priority -10; }',
  'add rule inet beside forward iifname "fpt2" drop',
  'add chain inet beside post { type nat hook postrouting priority 90; }',
  // The third subscription's relay port.
  'add chain inet beside input { type filter hook input priority -10; }',
  'add rule inet beside input ip daddr 203.0.113.13 tcp dport 443 reject with tcp reset',
  'add rule inet beside post ip saddr 10.64.3.0/24 oifname "eth0" masquerade',
].join('\n');

const fresh = async (slot: number, more: { prefix6?: string; tcpPort?: number } = {}) =>
  unproven(await sell({ slot, bindAddress: `203.0.113.${10 + slot}`, ...more }));

/**
 * Returns the results for these. On a busy machine a probe may time out, and its subscription is
 * reported as up; then it is checked again.
 */
async function found(asked: DesiredSubscription[]) {
  for (;;) {
    const revision = scene.shop.want(asked);
    const { subscriptions } = await scene.shop.reported(
      said => said.revision === revision && said.subscriptions.every(({ state }) => state === 'up'),
    );
    if (subscriptions.every(({ unproven }) => unproven)) return subscriptions;
    scene.shop.want([]);
    await scene.settled();
  }
}

it('V16 reports for each whether it works, and which check fails', async () => {
  await hostHasIpv6(scene);
  await scene.onHost('nft', BESIDE);
  const asked = [
    await fresh(1, { prefix6: '2001:db8:7:b::/64', tcpPort: 443 }),
    await fresh(2, { prefix6: '2001:db8:7:c::/64' }),
    await fresh(3, { tcpPort: 443 }),
  ];
  scene.shop.want(asked);
  const checking = await scene.shop.reported(({ subscriptions }) => subscriptions.length === 3);
  expect(checking.subscriptions.map(({ state }) => state)).toEqual(['checking', 'checking', 'checking']);
  expect(await found(asked)).toEqual([
    { id: 's_test1', state: 'up', unproven: [] },
    { id: 's_test2', state: 'up', unproven: ['address', 'address6', 'dns'] },
    { id: 's_test3', state: 'up', unproven: ['address', 'tcp'] },
  ]);
  await scene.onHost('nft', 'delete table inet beside');
});

it('leaves nothing behind, refuses the probe afterwards, and does not count its traffic', async () => {
  const sold = await sell({ slot: 1, bindAddress: '203.0.113.11' });
  scene.shop.want([sold.desired]);
  await scene.settled();
  await eventually('only the server is left', async () => (await scene.servers()).length === 1);
  const there = async (...command: string[]) => scene.onHost(...command);
  expect(await there('ip', '-br', 'link')).not.toMatch(/fpp/);
  expect(await there('nft', 'list', 'tables')).not.toMatch(/probe/);
  expect(await there('nft', 'list', 'table', 'inet', 'fixpoint')).not.toMatch(/probe/);
  expect(scene.shop.reports.flatMap(({ usage, drift }) => [...usage, ...drift])).toEqual([]);
});

it('V16 reports a server that accepts nobody, and a line without a limit', async () => {
  await scene.onHost(
    'nft',
    [
      'add table inet beside',
      'add chain inet beside input { type filter hook input priority -10; }',
      'add rule inet beside input ip daddr 203.0.113.14 udp dport 1194 drop',
    ].join('\n'),
  );
  const shut = await fresh(4, { tcpPort: 443 });
  // No further check runs where the login fails.
  expect(await found([shut])).toEqual([{ id: 's_test4', state: 'up', unproven: ['tunnel'] }]);

  // Sequential: removing a limit in a loop keeps the machine busy, and a probe has half a minute.
  const open = await fresh(5);
  // In one process: starting a new one takes so long that the limit would be back meanwhile.
  const taking = spawnIn(scene.region.hostNamespace, ['tc', '-force', '-batch', '-'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const again = setInterval(() => taking.stdin!.write('qdisc del dev fpt5 root\n'), 5);
  const unlimited = await found([shut, open]).finally(() => {
    clearInterval(again);
    taking.stdin!.end();
  });
  await ended(taking);
  expect(unlimited).toContainEqual({ id: 's_test5', state: 'up', unproven: ['rate'] });
  await scene.onHost('nft', 'delete table inet beside');
});
