import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { run } from '../adapters/run.ts';
import type { SearchSink } from './search-sink.ts';

/** Kernel tables that name who talks with whom. */
const TABLES = ['nf_conntrack', 'nf_conntrack_expect', 'arp', 'tcp', 'tcp6', 'udp', 'udp6'];
/** Other memories of the kernel: neighbours, routes to them, TCP metrics. */
const COMMANDS = [
  ['ip', 'neigh', 'show'],
  ['ip', 'route', 'show', 'cache'],
  ['ip', '-6', 'route', 'show', 'cache'],
  ['ip', 'tcp_metrics', 'show'],
  ['nft', 'list', 'ruleset'],
];

/** Sysctls that must be 0: each makes the kernel log or count single connections. */
const CLOSED = ['nf_conntrack_log_invalid', 'nf_conntrack_acct', 'nf_conntrack_timestamp'];

const SETTINGS = '/proc/sys/net/netfilter';
/** Folder of the sysctl, per device and for all, that logs senders of unroutable packets. */
const DEVICES = '/proc/sys/net/ipv4/conf';
const MARTIANS = 'log_martians';

/** Searches the kernel's tables, its log, and the journal from the canary's day on. */
export async function searchKernel(leftAt: Date, sink: SearchSink): Promise<void> {
  for (const table of TABLES) {
    const file = `/proc/net/${table}`;
    if (existsSync(file)) sink.at('connections', table, readFileSync(file));
    // Otherwise a kernel that tracks connections without listing them would pass.
    else if (table === 'nf_conntrack' && existsSync(`${SETTINGS}/nf_conntrack_count`))
      await searchOutput(['conntrack', '--dump'], 'connections', sink);
  }
  for (const command of COMMANDS) await searchOutput(command, 'connections', sink);
  await searchOutput(['dmesg'], 'kernelLog', sink);
  if (!existsSync('/run/systemd/journal/socket')) return;
  const since = new Date(leftAt.getTime() - DAY_MS).toISOString().slice(0, 10);
  await searchOutput(
    ['journalctl', '--output=export', '--no-pager', '--utc', `--since=${since}`],
    'journal',
    sink,
  );
}

const DAY_MS = 24 * 60 * 60_000;

async function searchOutput(
  [program, ...args]: string[],
  place: 'connections' | 'kernelLog' | 'journal',
  sink: SearchSink,
): Promise<void> {
  const ran = await run(program!, args).catch(() => undefined);
  if (ran?.code === 0) sink.at(place, [program, ...args].join(' '), Buffer.from(ran.stdout));
  else sink.unread(`${program} ${args.join(' ')}`);
}

/**
 * Searches for anything that logs, whether it has seen the canary or not.
 * @returns SHA-256 of the host's configuration: running programs with their bytes, chains and
 * rules, sysctls
 */
export async function searchConfiguration(processes: readonly number[], sink: SearchSink): Promise<string> {
  const settings = existsSync(SETTINGS)
    ? readdirSync(SETTINGS)
        .filter(name => name.startsWith('nf_conntrack_') && name !== 'nf_conntrack_count')
        .map(name => [name, settingOf(name)])
    : [];
  const martians = readdirSync(DEVICES).map(device => `${device}/${MARTIANS}`);
  const closed = [
    ...CLOSED.map(name => [name, settingOf(name)]),
    ...martians.map(name => [name, settingOf(name, DEVICES)]),
  ] as [string, string][];
  for (const [where, value] of closed)
    if (!['0', ''].includes(value)) sink.found({ place: 'configuration', where, what: 'is on' });
  const rules = await firewallRules(sink);
  const parts = { settings, rules, programs: programsOf(processes) };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function settingOf(name: string, folder = SETTINGS): string {
  try {
    return readFileSync(`${folder}/${name}`, 'utf8').trim();
  } catch {
    return '';
  }
}

type Rule = {
  family: string;
  table: string;
  chain: string;
  comment?: string;
  expr: Record<string, unknown>[];
};

/** Rules as listed by the kernel. One that logs, or queues packets to a program, is a finding. */
async function firewallRules(sink: SearchSink): Promise<unknown[]> {
  const { code, stdout } = await run('nft', ['--json', '--stateless', 'list', 'ruleset']);
  if (code !== 0) {
    sink.unread('nft list ruleset');
    return [];
  }
  const { nftables } = JSON.parse(stdout) as { nftables: { rule?: Rule; chain?: object }[] };
  return nftables.flatMap(({ rule, chain }) => {
    if (rule) {
      for (const statement of ['log', 'queue', 'dup'])
        if (rule.expr.some(part => statement in part))
          sink.found({
            place: 'configuration',
            where: `nft ${rule.family} ${rule.table} ${rule.chain}`,
            what: `a rule with ${statement}`,
          });
    }
    const kept = rule ?? chain;
    return kept ? [{ ...kept, handle: undefined }] : [];
  });
}

/** Every running program once: its file and hash. */
function programsOf(processes: readonly number[]): [file: string, sha256: string][] {
  const files = new Map<string, string>();
  for (const pid of processes) {
    try {
      const file = readlinkSync(`/proc/${pid}/exe`);
      if (!files.has(file))
        files.set(
          file,
          createHash('sha256')
            .update(readFileSync(`/proc/${pid}/exe`))
            .digest('hex'),
        );
    } catch {
      // A kernel thread, or a process that has ended.
    }
  }
  return [...files].sort();
}
