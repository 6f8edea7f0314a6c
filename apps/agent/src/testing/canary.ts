import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type SearchRequest, type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import { namespaceOf, type Role } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must, run } from '@fixpoint/sandbox/internet/run.ts';
import { eventually, type Scene } from './scene.ts';

const visitFile = fileURLToPath(new URL('./visit.ts', import.meta.url));
const searchFile = fileURLToPath(new URL('../no-logs/main.ts', import.meta.url));
const PORT = 8080;

type Left = Pick<SearchRequest, 'marks' | 'leftAt'>;

/**
 * Lets canaries go through the tunnels of a scene. Each has an address of its own, goes to one where nobody else goes, and
 * asks for a name that nobody else asks for.
 */
export async function openAviary(scene: Scene) {
  await scene.listen('www', PORT);
  let sent = 0;
  return {
    /**
     * Connects, works and leaves as a customer does.
     * @param resolver whom it asks for its name
     * @param isSeen it stays until this holds
     */
    async send(profile: string, resolver = '9.9.9.9', isSeen = () => true): Promise<Left> {
      const destination = `192.0.2.${20 + sent++}`;
      await scene.onInternet('ip', 'addr', 'add', `${destination}/26`, 'dev', 'eth0');
      const name = randomBytes(8).toString('hex');
      const customer = await scene.connect(profile);
      const visit = [process.execPath, visitFile, resolver, `www.${name}.example`, destination, `${PORT}`];
      await customer.exec(visit);
      await eventually('the canary is seen', isSeen);
      // Its place stays: the next one gets another address.
      const place = namespaceOf(scene.region.id, customer.device as Role);
      for (const pid of await pidsIn(place))
        if ((await commandOf(pid)) === 'openvpn') process.kill(pid, 'SIGTERM');
      await eventually('the canary leaves', () => !customer.running());
      return {
        marks: { addresses: [customer.address, destination], names: [name] },
        leftAt: new Date().toISOString(),
      };
    },
    /** Searches the scene's VPN host, in these folders, by the program that a real host is searched by. */
    async search({ marks, leftAt }: Left, folders: string[], pauseMs = 0): Promise<SearchResult> {
      await sleep(pauseMs);
      const place = scene.region.hostNamespace;
      const request = { marks, leftAt, folders, processes: await pidsIn(place) };
      const command = ['netns', 'exec', place, process.execPath, searchFile];
      const { out } = await run('ip', command, JSON.stringify(request));
      const last = out.trim().split('\n').at(-1)!;
      if (!last.startsWith('{')) throw new Error(`the search failed: ${out}`);
      return searchResult.parse(JSON.parse(last));
    },
  };
}

const pidsIn = async (namespace: string): Promise<number[]> =>
  (await must('ip', ['netns', 'pids', namespace])).split('\n').filter(Boolean).map(Number);

const commandOf = async (pid: number): Promise<string> =>
  (await must('cat', [`/proc/${pid}/comm`]).catch(() => '')).trim();
