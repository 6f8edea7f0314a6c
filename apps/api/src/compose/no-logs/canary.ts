import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type SearchRequest, type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Clock } from '../../ports/clock.ts';

/** Parameters of a canary and its host. */
export type Visit = {
  /**
   * Commands that run a program on the canary's machine and on the host, such as `ssh root@HOST`.
   */
  canary: string;
  host: string;
  /** Configuration file of a subscription on the host that nobody else uses meanwhile. */
  profile: string;
  /** A web server that no customer visits, and its port. */
  server: string;
  /** IPv6 address of the same server, if the subscription has IPv6. */
  server6?: string | undefined;
  port: number;
  resolver: string;
  /** Public address of the canary, if it cannot see that itself (NAT). */
  address?: string | undefined;
};

type Left = Pick<SearchRequest, 'marks' | 'leftAt'>;

const SEARCH = ['/usr/lib/fixpoint-agent/node', '/usr/lib/fixpoint-agent/search.mjs'];
/** Limit of each answer of the canary. A tunnel takes a second, or ten over TCP, and the canary gives up before this. */
const TIMEOUT_MS = 60_000;

/**
 * Sends a canary and verifies that the host has carried its traffic: one that was never seen would
 * prove nothing.
 * @returns its marks, and when it left
 * @throws OperatorFault if it does not get through
 */
export async function sendCanary(visit: Visit, clock: Clock): Promise<Left> {
  const name = randomBytes(8).toString('hex');
  const script = await readFile(new URL('./canary.sh', import.meta.url), 'utf8');
  const { server, server6 } = visit;
  const { child, said } = begin(visit.canary, ['bash', '-s']);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  try {
    const file = Buffer.from(visit.profile).toString('base64');
    const parameters = [name, server, server6 ?? '', visit.port, visit.resolver, file];
    child.stdin!.write(script + parameters.map(line => `${line}\n`).join(''));
    const [, own = ''] = /^here (\S+)$/.exec(await next(child, lines, said)) ?? [];
    const address = visit.address ?? own;
    const marks = { addresses: [address, server, ...(server6 ? [server6] : [])], names: [name] };
    await mustBeSeen(visit.host, { marks, leftAt: clock.now().toISOString() });
    child.stdin!.end('\n');
    await next(child, lines, said);
    return { marks, leftAt: clock.now().toISOString() };
  } finally {
    child.stdin!.end();
  }
}

/** Searches the host with the program beside its agent. */
export async function searchHost(host: string, request: SearchRequest): Promise<SearchResult> {
  const { child, said } = begin(host, SEARCH);
  child.stdin!.end(JSON.stringify(request));
  const out = await text(child.stdout!);
  const parsed = searchResult.safeParse(safely(out));
  if (!parsed.success) throw new OperatorFault(`The search of the host failed: ${(await said) || out}`);
  return parsed.data;
}

/**
 * While the canary is connected, its server knows its source address, and the kernel its
 * destinations.
 */
async function mustBeSeen(host: string, left: Left): Promise<void> {
  const { findings } = await searchHost(host, { ...left, folders: [] });
  for (const address of left.marks.addresses) {
    if (!findings.some(({ what }) => what.startsWith(`the address ${address},`)))
      throw new OperatorFault(
        `The host does not see ${address} while the canary is connected, so the search would prove nothing. Check that the file belongs to this host. For a canary behind NAT, set --address to its public address.`,
      );
  }
}

/** @returns the process, and its standard error once it has ended */
function begin(how: string, command: string[]): { child: ChildProcess; said: Promise<string> } {
  const [program = '', ...args] = how.split(' ').filter(Boolean);
  const child = spawn(program, [...args, ...command], { stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  const failed = new Promise<string>(resolve => child.once('error', error => resolve(error.message)));
  return { child, said: Promise.race([failed, text(child.stderr)]) };
}

/** @returns the canary's next line @throws OperatorFault if it ends or is silent until the limit */
async function next(
  child: ChildProcess,
  lines: AsyncIterator<string>,
  said: Promise<string>,
): Promise<string> {
  const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
  const { done, value } = await lines.next().finally(() => clearTimeout(timer));
  if (!done) return value;
  const why = (await said).trim() || 'its machine gave no answer. Run the command of --canary by hand.';
  throw new OperatorFault(`The canary did not get through: ${why}`);
}

function safely(out: string): unknown {
  try {
    return JSON.parse(out);
  } catch {
    return undefined;
  }
}
