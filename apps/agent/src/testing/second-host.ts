import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDRESSES, ifIpv6, removeNamespace, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { startFakeShop } from './fake-shop.ts';
import type { Scene } from './scene.ts';

/** A realistic long interface name, which leaves no room for an address label. */
const CARD = 'enp193s0f1np1';
const agentFile = fileURLToPath(new URL('../main.ts', import.meta.url));
/** A scene, or the region of a whole shop. */
type Around = { region: { id: string } } & Pick<Scene, 'dataDir' | 'onRouter'>;

/**
 * Adds a machine behind the router of a scene, on which nothing runs. It is removed with the scene.
 * @param number its place: its own network per family, next to the first host's
 */
export async function addMachine(scene: Omit<Around, 'dataDir'>, number: 2 | 3 = 2) {
  const { id } = scene.region;
  const name = `vpn${number}`;
  const namespace = `fp-${id}-${name}`;
  const [GATEWAY, HOST] = [`192.0.2.${64 * number + 1}`, `192.0.2.${64 * number + 2}`];
  const [GATEWAY6, HOST6] = [`2001:db8:0:3${number}::1`, `2001:db8:0:3${number}::2`];
  await must('ip', ['netns', 'add', namespace]);
  await must('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
  await scene.onRouter('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', CARD, 'netns', namespace);
  for (const line of [
    `addr add ${GATEWAY}/26 dev ${name}`,
    ...ifIpv6(`addr add ${GATEWAY6}/64 dev ${name} nodad`),
    `link set ${name} up`,
  ])
    await scene.onRouter('ip', ...line.split(' '));
  for (const line of [
    `addr add ${HOST}/26 dev ${CARD}`,
    ...ifIpv6(`addr add ${HOST6}/64 dev ${CARD} nodad`),
    `link set ${CARD} up`,
    `route add default via ${GATEWAY}`,
    ...ifIpv6(`route add default via ${GATEWAY6}`),
  ])
    await must('ip', ['-n', namespace, ...line.split(' ')]);
  return { name, namespace, card: CARD, address: HOST, address6: HOST6 };
}

/** Runs the real agent on another machine. @see addMachine */
export const runAgent = (
  { region, dataDir }: Omit<Around, 'onRouter'>,
  { name, namespace }: Awaited<ReturnType<typeof addMachine>>,
  shop: { socket: string; token: string },
) =>
  spawnIn(namespace, [process.execPath, agentFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      AGENT_SHOP: `unix:${shop.socket}`,
      AGENT_TOKEN: shop.token,
      AGENT_STATE_DIR: join(dataDir, name),
      AGENT_RUN_DIR: `/run/fixpoint-demo-${region.id}/${name}`,
    },
  });

/** Adds a VPN host to the scene, with the real agent and its own shop. @see addMachine */
export async function startSecondHost(scene: Scene, number: 2 | 3 = 2) {
  const machine = await addMachine(scene, number);
  const { name, namespace, address: HOST, address6: HOST6 } = machine;
  const socket = join(scene.dataDir, `${name}.sock`);
  const shop = await startFakeShop({ listen: { path: socket } });
  runAgent(scene, machine, { socket, token: shop.token });
  const onHost = (...command: string[]) => must('ip', ['netns', 'exec', namespace, ...command]);
  return {
    shop,
    card: CARD,
    onHost,
    /** Sets the operator's routes on the router. */
    async routeHere(range: string = ADDRESSES.pool, prefix6?: string) {
      await scene.onRouter('ip', 'route', 'replace', range, 'via', HOST);
      if (prefix6) await scene.onRouter('ip', 'route', 'replace', prefix6, 'via', HOST6);
    },
    routeToFirst: () => scene.onRouter('ip', 'route', 'replace', ADDRESSES.pool, 'via', ADDRESSES.host),
    /** Simulates a power failure. */
    async powerOff() {
      await scene.onRouter('ip', 'link', 'del', name);
      await removeNamespace(namespace);
    },
    away: () => shop.away(),
  };
}
