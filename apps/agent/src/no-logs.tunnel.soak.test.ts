import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { SearchResult } from '@fixpoint/contract/no-logs.ts';
import { namespaceOf, spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { ended } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderServerConfig } from './adapters/openvpn/config.ts';
import { slotPaths } from './adapters/openvpn/folder.ts';
import { createCanaries } from './testing/canary.ts';
import { eventually, openScene, type Scene } from './testing/scene.ts';
import { download, type Sold, sell } from './testing/subscriptions.ts';

/**
 * The no-logs proof: it finds nothing on a host as we run it, and finds each way of keeping logs.
 */
let scene: Scene;
let sold: Sold;
let canaries: Awaited<ReturnType<typeof createCanaries>>;
let disk: string;
const key = { id: 'k_canary', address: 2 };
const SLOT_USER = 70_001;
const HOST = '192.0.2.66';
const spyFile = fileURLToPath(new URL('./testing/spy.ts', import.meta.url));

beforeAll(async () => {
  scene = await openScene();
  sold = await sell({ slot: 1, bindAddress: '203.0.113.11', prefix6: '2001:db8:7:b::/64', keys: [key] });
  scene.shop.want([sold.desired]);
  [canaries] = await Promise.all([createCanaries(scene), scene.settled()]);
  disk = join(scene.dataDir, 'disk');
  mkdirSync(disk);
  // Lets the tunnel's own user write here, where a configuration wants it to.
  chmodSync(scene.dataDir, 0o711);
  chmodSync(disk, 0o777);
});
afterAll(() => scene?.end());

const folders = () => [scene.region.stateDir, scene.region.runDir, disk];
const profile = async () => (await download(sold, key.id)).profile;
const setting = (name: string, value: number) =>
  scene.onHost('sysctl', '-qw', `net.netfilter.nf_conntrack_${name}=${value}`);
const places = ({ findings }: SearchResult) => findings.map(({ place, where }) => `${place}: ${where}`);

const served = () =>
  eventually('the tunnel is served', () =>
    scene.serverOf(1).then(
      () => true,
      () => false,
    ),
  );
const says = (child: ChildProcess) => once(child.stdout!, 'data');

/** Runs work while the agent is stopped, so that nothing is repaired, and starts it again. */
async function withoutAgent<T>(work: () => Promise<T>): Promise<T> {
  await scene.region.killAgent();
  try {
    return await work();
  } finally {
    scene.region.startAgent();
    await served();
  }
}

/** Runs work while another program runs on the host. @param begun whether the program is ready */
async function beside<T>(
  command: string[],
  work: () => Promise<T>,
  { input = '', begun = says }: { input?: string; begun?: (child: ChildProcess) => Promise<unknown> } = {},
): Promise<T> {
  const child: ChildProcess = spawnIn(scene.region.hostNamespace, command, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin!.end(input);
  try {
    await begun(child);
    child.stdout!.resume();
    return await work();
  } finally {
    child.kill('SIGKILL');
    await ended(child);
  }
}

/** Makes openvpn serve with additional lines. */
const withServer = <T>(lines: string[], work: () => Promise<T>): Promise<T> =>
  withoutAgent(async () => {
    process.kill(await scene.serverOf(1), 'SIGKILL');
    await eventually('the server is gone', async () => (await scene.servers()).length === 0);
    const config = renderServerConfig(sold.desired, scene.region.runDir);
    const user = ['setpriv', `--reuid=${SLOT_USER}`, `--regid=${SLOT_USER}`, '--clear-groups'];
    const input = `${config}${lines.join('\n')}\n`;
    return beside([...user, 'openvpn', '--config', 'stdin'], work, { input, begun: served });
  });

/** Sends a canary, and searches the host right after it has left. */
const look = async (resolver?: string, isSeen?: () => boolean): Promise<SearchResult> =>
  canaries.search(await canaries.send(await profile(), resolver, isSeen), folders());

it('S81 FV11 finds no trace of disconnected clients in files, memory and kernel of a default host, while a stranger keeps sending packets', async () => {
  const server = await scene.serverOf(1);
  const calls = `while :; do echo x > /dev/udp/${sold.desired.bindAddress}/1194; sleep 0.1; done`;
  const stranger = spawnIn(namespaceOf(scene.region.id, 'www'), ['bash', '-c', calls], { stdio: 'ignore' });
  const { profile: file } = await download(sold, key.id, 'linux');
  const left = await canaries.sendFromShop(file);
  expect(left.marks.addresses).toHaveLength(3);
  await eventually('openvpn has begun again', async () => {
    // Triggers a reconciliation.
    await scene.onHost('nft', 'add chain inet fixpoint beside');
    await sleep(500);
    return !(await scene.servers()).includes(server);
  });
  stranger.kill('SIGKILL');
  await ended(stranger);
  await served();
  const result = await canaries.search(left, folders(), 3000);
  process.stdout.write(`canary: nothing left after ${result.pauseSeconds} s\n`);
  expect(places(result)).toEqual([]);
  expect(result.unread).toEqual([]);
  expect(result.processes).toBeGreaterThan(1);
  expect(result.memoryBytes).toBeGreaterThan(10_000_000);
  expect(result.files).toBeGreaterThan(0);
  expect(result.pauseSeconds).toBeGreaterThanOrEqual(3);
});

/** Ways of keeping logs; the search must find each. */
const finds = {
  async 'openvpn with verb 4 to a file'() {
    const result = await withServer(['verb 4', `log-append ${disk}/openvpn.log`], () => look());
    expect(places(result)).toContain(`disk: ${disk}/openvpn.log`);
  },

  async 'openvpn with a status file'() {
    const file = join(disk, 'status');
    const result = await withServer([`status ${file} 1`], async () => {
      const server = await scene.serverOf(1);
      // The file is rewritten each second and lists a disconnected client for some seconds only, so
      // the program is paused.
      return look(undefined, () => {
        const isListed = readFileSync(file, 'utf8').includes(key.id);
        if (isListed) process.kill(server, 'SIGSTOP');
        return isListed;
      });
    });
    expect(places(result)).toContain(`disk: ${file}`);
  },

  async 'a client-connect script that writes who came, in base64'() {
    const script = join(disk, 'connect.sh');
    writeFileSync(script, `#!/bin/sh\nprintf 'came %s' "$trusted_ip" | base64 >> ${disk}/came\n`, {
      mode: 0o755,
    });
    const result = await withServer(['script-security 2', `client-connect ${script}`], () => look());
    expect(places(result)).toContain(`disk: ${disk}/came`);
  },

  async 'a rule of the firewall that logs'() {
    await scene.onHost(
      'nft',
      `add table inet spy
       add chain inet spy forward { type filter hook forward priority -10; }
       add rule inet spy forward ct state new log prefix "spy "`,
    );
    const result = await look();
    await scene.onHost('nft', 'delete table inet spy');
    expect(places(result)).toContain('configuration: nft inet spy forward');
  },

  async 'connection tracking that keeps flows with their times, and an agent that leaves them there'() {
    await setting('timestamp', 1);
    const result = await withoutAgent(() => look());
    await setting('timestamp', 0);
    expect(places(result)).toEqual(
      expect.arrayContaining(['configuration: nf_conntrack_timestamp', 'connections: nf_conntrack']),
    );
  },

  async 'a kernel that logs packets which have no way back, as a hardened one does'() {
    const result = await withoutAgent(async () => {
      await scene.onHost('sysctl', '-qw', 'net.ipv4.conf.eth0.log_martians=1');
      return look();
    });
    expect(places(result)).toContain('configuration: eth0/log_martians');
  },

  async 'a resolver that logs what is asked'() {
    const rule = 'iifname "fpt*" udp dport 53 accept';
    const file = join(disk, 'queries');
    const result = await withoutAgent(async () => {
      await scene.onHost('nft', `insert rule inet fixpoint input ${rule}`);
      return beside([process.execPath, spyFile, 'resolver', file, HOST], () => look(HOST));
    });
    expect(places(result)).toContain(`disk: ${file}`);
  },

  async 'a capture of packets to the disk'() {
    const file = join(disk, 'capture');
    // Packets of all protocols (ETH_P_ALL), as they pass the card.
    const capture = `socket(S, 17, 3, 0x300) or die; open(F, '>', '${file}'); $| = 1; print 'begun';
      while (sysread(S, $p, 65535)) { syswrite(F, $p) }`;
    const result = await beside(['perl', '-e', capture], () => look());
    const found = result.findings.filter(({ where }) => where === file).map(({ what }) => what);
    expect(found.join()).toMatch(/address 198\.51\.100\.\d+, binary/);
    expect(found.join()).toMatch(/address 192\.0\.2\.\d+, binary/);
    rmSync(file);
  },

  async 'an agent that writes sessions, packed'() {
    const file = join(disk, 'sessions.gz');
    const { management } = slotPaths(scene.region.runDir, 1);
    const isSeen = () => existsSync(file) && gunzipSync(readFileSync(file)).includes(key.id);
    const result = await withoutAgent(() =>
      beside([process.execPath, spyFile, 'sessions', file, management], () => look(undefined, isSeen)),
    );
    expect(places(result)).toContain(`disk: ${file}`);
    // Traces in a program's memory are found as well.
    expect(places(result).filter(place => /^memory: (?!openvpn)/.test(place))).not.toEqual([]);
  },
};

it.each(Object.keys(finds) as (keyof typeof finds)[])('S81 finds what is kept by %s', name => finds[name]());
