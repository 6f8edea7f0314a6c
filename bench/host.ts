import { readFile } from 'node:fs/promises';
import { openScene } from '@fixpoint/agent/testing/scene.ts';
import { download, sell } from '@fixpoint/agent/testing/subscriptions.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- host [subscriptions]` measures how long a VPN host takes to start that many subscriptions, each with its
 * own openvpn, their memory, and how long the deletion of a key takes then. Needs root and network namespaces.
 */
const { positionals } = readArguments('host [subscriptions]', 1, {});
const number = Number(positionals[0] ?? 500);
const GOAL = 30; // s

const sold = await Promise.all(
  Array.from({ length: number }, (_, n) =>
    sell({
      slot: n + 1,
      bindAddress: `203.0.${113 + ((n + 11) >> 8)}.${(n + 11) & 255}`,
      tcpPort: 443,
      keys: [2, 3].map(address => ({ id: `k_${n}_${address}`, address })),
    }),
  ),
);
const subscriptions = sold.map(({ desired }) => desired);

/** Memory of a process in MiB; shared pages count proportionally (PSS). */
const memoryOf = async (pid: number): Promise<number> =>
  Number(/^Pss: +(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;

const scene = await openScene();
try {
  const begun = performance.now();
  const since = () => (performance.now() - begun) / 1000;
  const revision = scene.shop.want(subscriptions);
  const of = await scene.shop.reported(report => report.revision === revision, 300_000);
  console.log(`applied     ${since().toFixed(1)} s`);
  await scene.shop.reported(
    report =>
      report.revision === revision &&
      report.subscriptions.filter(({ state }) => state === 'up').length === of.subscriptions.length,
    300_000,
  );
  const seconds = since();
  console.log(`all up      ${seconds.toFixed(1)} s   goal ${GOAL} s, for 500`);
  const customer = await scene.connect((await download(sold[0]!, 'k_0_2')).profile);
  if ((await customer.seenAddress()) !== subscriptions[0]!.bindAddress) throw new Error('another address');

  const servers = await scene.servers();
  const memory = (await Promise.all(servers.map(memoryOf))).reduce((sum, mib) => sum + mib, 0);
  console.log(`openvpn     ${servers.length} processes, ${memory.toFixed(0)} MiB`);

  const changed = performance.now();
  scene.shop.want([{ ...subscriptions[0]!, keys: [] }, ...subscriptions.slice(1)]);
  await scene.settled();
  console.log(`key deleted ${(performance.now() - changed).toFixed(0)} ms, until the host reported it`);
  if (seconds > GOAL || servers.length !== number) process.exitCode = 1;
} finally {
  await scene.end();
}
