import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@fixpoint/api/adapters/system-clock.ts';
import { sendCanary } from '@fixpoint/api/compose/no-logs/canary.ts';
import { type SearchRequest, type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import type { Customer } from '@fixpoint/sandbox/internet/customer.ts';
import {
  buildCustomer,
  namespaceOf,
  processesIn,
  type Role,
  spawnIn,
} from '@fixpoint/sandbox/internet/namespaces.ts';
import { must, run } from '@fixpoint/sandbox/internet/run.ts';
import { eventually, type Scene } from './scene.ts';

const serverFile = fileURLToPath(new URL('./open-endpoint.ts', import.meta.url));
const visitFile = fileURLToPath(new URL('./visit.ts', import.meta.url));
/** The search program of real hosts. */
export const searchFile = fileURLToPath(new URL('../no-logs/main.ts', import.meta.url));
/** 1F90 in the kernel's table. */
const PORT = 8080;

type Departure = Pick<SearchRequest, 'marks' | 'leftAt'>;

/**
 * Sends canaries through the tunnels of a scene. Each has its own address, visits a destination of
 * its own, and resolves a name of its own.
 */
export async function createCanaries(scene: Scene) {
  spawnIn(namespaceOf(scene.region.id, 'www'), [process.execPath, serverFile, 'www', `${PORT}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const listens = async () => / 0{32}:1F90 /.test(await scene.onInternet('cat', '/proc/net/tcp6'));
  await eventually('the server listens', listens);
  let sent = 0;
  return {
    /**
     * Connects, works and disconnects like a customer, with a connection open.
     * @param resolver resolver that it queries
     * @param isSeen the canary stays until this holds
     */
    async send(profile: string, resolver = '9.9.9.9', isSeen = () => true): Promise<Departure> {
      const destination = `192.0.2.${20 + sent++}`;
      await scene.onInternet('ip', 'addr', 'add', `${destination}/26`, 'dev', 'eth0');
      const name = randomBytes(8).toString('hex');
      const customer = await scene.connect(profile);
      const visit = [process.execPath, visitFile, resolver, `www.${name}.example`, destination, `${PORT}`];
      // The namespace stays reserved, so that the next canary gets another address.
      const place = namespaceOf(scene.region.id, customer.device as Role);
      const visitor = spawnIn(place, visit, { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(visitor.stdout!, 'data');
      await eventually('the canary is seen', isSeen);
      await leave(scene, customer);
      visitor.kill('SIGKILL');
      return {
        marks: { addresses: [customer.address, destination], names: [name] },
        leftAt: new Date().toISOString(),
      };
    },
    /** Sends a canary with the shop's command, like an operator: to a server with both families. */
    async sendFromShop(profile: string): Promise<Departure> {
      const [server, server6] = [`192.0.2.${20 + sent}`, `2001:db8:0:1::${20 + sent++}`];
      await scene.onInternet('ip', 'addr', 'add', `${server}/26`, 'dev', 'eth0');
      await scene.onInternet('ip', 'addr', 'add', `${server6}/64`, 'dev', 'eth0', 'nodad');
      const { namespace } = await buildCustomer(scene.region.id);
      const place = scene.region.hostNamespace;
      const host = join(scene.dataDir, 'host.sh');
      await writeFile(
        host,
        `processes=$(ip netns pids ${place} | paste -s -d ,)
        sed "s/}$/,\\"processes\\":[$processes]}/" | ip netns exec ${place} ${process.execPath} ${searchFile}`,
      );
      const ways = { canary: `ip netns exec ${namespace}`, host: `sh ${host}` };
      return sendCanary({ ...ways, profile, server, server6, port: PORT, resolver: '9.9.9.9' }, systemClock);
    },
    /** Searches these folders of the scene's VPN host with the search program of real hosts. */
    async search({ marks, leftAt }: Departure, folders: string[], pauseMs = 0): Promise<SearchResult> {
      await sleep(pauseMs);
      const place = scene.region.hostNamespace;
      const request = { marks, leftAt, folders, processes: await processesIn(place) };
      const command = ['netns', 'exec', place, process.execPath, searchFile];
      const { out } = await run('ip', command, JSON.stringify(request));
      const last = out.trim().split('\n').at(-1)!;
      if (!last.startsWith('{')) throw new Error(`the search failed: ${out}`);
      return searchResult.parse(JSON.parse(last));
    },
  };
}

/** A customer stops their client, which notifies the server. */
export async function leave(scene: Scene, customer: Customer): Promise<void> {
  for (const pid of await processesIn(namespaceOf(scene.region.id, customer.device as Role)))
    if ((await commandOf(pid)) === 'openvpn') process.kill(pid, 'SIGTERM');
  await eventually('the client has ended', () => !customer.running());
}

const commandOf = async (pid: number): Promise<string> =>
  (await must('cat', [`/proc/${pid}/comm`]).catch(() => '')).trim();
