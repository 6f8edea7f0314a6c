import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDRESSES, removeNamespace, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { startFakeShop } from './fake-shop.ts';
import type { Scene } from './scene.ts';

const agentFile = fileURLToPath(new URL('../main.ts', import.meta.url));
/** Its place behind the router of the scene: a network of its own, beside the first host's. */
const [GATEWAY, HOST] = ['192.0.2.129', '192.0.2.130'];

/** Another VPN host in the scene, with the real agent and a shop that speaks with it alone. It goes with the scene. */
export async function startSecondHost(scene: Scene) {
  const { id } = scene.region;
  const namespace = `fp-${id}-vpn2`;
  await must('ip', ['netns', 'add', namespace]);
  await must('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
  await scene.onRouter(
    'ip',
    'link',
    'add',
    'vpn2',
    'type',
    'veth',
    'peer',
    'name',
    'eth0',
    'netns',
    namespace,
  );
  await scene.onRouter('ip', 'addr', 'add', `${GATEWAY}/26`, 'dev', 'vpn2');
  await scene.onRouter('ip', 'link', 'set', 'vpn2', 'up');
  for (const line of [`addr add ${HOST}/26 dev eth0`, 'link set eth0 up', `route add default via ${GATEWAY}`])
    await must('ip', ['-n', namespace, ...line.split(' ')]);
  const socket = join(scene.dataDir, 'second.sock');
  const shop = await startFakeShop({ listen: { path: socket } });
  spawnIn(namespace, [process.execPath, agentFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      AGENT_SHOP: `unix:${socket}`,
      AGENT_TOKEN: shop.token,
      AGENT_STATE_DIR: join(scene.dataDir, 'second'),
      AGENT_RUN_DIR: `/run/fixpoint-demo-${id}/second`,
    },
  });
  return {
    shop,
    /** What the operator tells his router. */
    leadHere: () => scene.onRouter('ip', 'route', 'replace', ADDRESSES.pool, 'via', HOST),
    leadToFirst: () => scene.onRouter('ip', 'route', 'replace', ADDRESSES.pool, 'via', ADDRESSES.host),
    /** As if its plug was pulled. */
    die: () => removeNamespace(namespace),
    away: () => shop.away(),
  };
}
