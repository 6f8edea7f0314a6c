import { readFileSync } from 'node:fs';
import { renderServerConfig } from '@fixpoint/agent/adapters/openvpn/config.ts';
import { openScene, type Scene } from '@fixpoint/agent/testing/scene.ts';
import { addMachine } from '@fixpoint/agent/testing/second-host.ts';
import { download, type Sold, sell } from '@fixpoint/agent/testing/subscriptions.ts';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import { spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- throughput [rounds] [megabytes]` measures the throughput of one device through a VPN host whose line is
 * faster than the machine, compared with a plain OpenVPN of the same tuning without shaping, firewall and accounting. One
 * stream at a time, in turns, so that other load affects both. Needs root and network namespaces.
 */
const { positionals } = readArguments('throughput [rounds] [megabytes]', 2, {});
const rounds = Number(positionals[0] ?? 15);
const bytes = Number(positionals[1] ?? 60) * 1_000_000;
const GOAL = 0.95;
const UNSHAPED = 10_000; // Mbit/s
const key = { id: 'k_laptop', address: 2 };

/** Starts a plain OpenVPN with the agent's configuration, without the directives by which the agent controls it. */
async function startPlain(scene: Scene, sold: Sold): Promise<{ address: string; pid: number }> {
  const machine = await addMachine(scene);
  const controlled = /^(dev |client-config-dir|ccd-exclusive|crl-verify|ifconfig-noexec|management)/;
  const config = renderServerConfig({ ...sold.desired, bindAddress: machine.address }, '/nowhere')
    .split('\n')
    .filter(line => !controlled.test(line))
    .join('\n')
    .replace(' nopool', '');
  const inside = (...command: string[]) => must('ip', ['netns', 'exec', machine.namespace, ...command]);
  await inside('sysctl', '-qw', 'net.ipv4.ip_forward=1');
  // Like a network card, the plain server needs a queue: veth devices have none, and shaped ones have one.
  await inside('tc', 'qdisc', 'replace', 'dev', machine.card, 'root', 'pfifo_fast');
  await inside(
    'nft',
    'add table ip nat; add chain ip nat post { type nat hook postrouting priority srcnat; }; add rule ip nat post masquerade',
  );
  // Its own session, as the agent's servers have: the kernel schedules processors by session (autogroup).
  const server = spawnIn(machine.namespace, ['setsid', 'openvpn', '--config', 'stdin'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  server.stdin!.end(`${config}\ndev tun0\ntxqueuelen 1000\n`);
  return { address: machine.address, pid: server.pid! };
}

/** CPU seconds that a process has used. */
function cpuOf(pid: number): number {
  const [, , user, system] = /\) (\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
  return (Number(user) + Number(system)) / 100;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const scene = await openScene();
try {
  const sold = await sell({ slot: 1, bindAddress: '203.0.113.11', rateMbit: UNSHAPED, keys: [key] });
  scene.shop.want([sold.desired]);
  const [{ address, pid }] = await Promise.all([startPlain(scene, sold), scene.settled()]);
  const { profile } = await download(sold, key.id);
  const ours = await scene.connect(profile);
  const plain = await scene.connect(profile.replace(sold.desired.publicAddress, address));
  let missed = false;
  const ways: Record<string, (one: Customer) => Promise<number>> = {
    download: one => one.download(bytes),
    upload: one => one.upload(bytes),
  };
  for (const [way, transfer] of Object.entries(ways)) {
    const pids = { ours: await scene.serverOf(1), plain: pid };
    const before = { ours: cpuOf(pids.ours), plain: cpuOf(pids.plain) };
    const took: { ours: number[]; plain: number[] } = { ours: [], plain: [] };
    for (let round = 0; round < rounds; round++) {
      for (const who of round % 2 ? (['plain', 'ours'] as const) : (['ours', 'plain'] as const))
        took[who].push(await transfer(who === 'ours' ? ours : plain));
    }
    const share = median(took.ours) / median(took.plain);
    const cost = (who: 'ours' | 'plain') =>
      ((cpuOf(pids[who]) - before[who]) / ((bytes * rounds) / 1e9)).toFixed(1);
    missed ||= share < GOAL;
    const [a, b] = [median(took.ours), median(took.plain)].map(mbit => mbit.toFixed(0).padStart(4));
    console.log(
      `${way.padEnd(9)} ${a} Mbit/s, plain OpenVPN ${b}: ${(share * 100).toFixed(1)} %   goal ${GOAL * 100} %; CPU ${cost('ours')} s/GB, plain ${cost('plain')}`,
    );
  }
  if (missed) process.exitCode = 1;
} finally {
  await scene.end();
}
