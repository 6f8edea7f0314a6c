import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SearchResult, searchResult } from '@fixpoint/contract/no-logs.ts';
import { run } from '@fixpoint/sandbox/internet/run.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchFile } from '../testing/canary.ts';

/**
 * The search finds nothing where it does not look, so this puts a mark in each place that it
 * searches.
 */
const OWN = '198.51.100.117';
const OWN6 = '2001:db8:0:2::117';
const THERE = '192.0.2.37';
const THERE6 = '2001:db8:0:5::37';
const [NEAR, FAR, NEAR6] = ['10.0.0.1', '10.0.0.2', '2001:db8:9::1'];
/** Random, because the kernel's log belongs to the whole machine and keeps it. */
const NAME = randomBytes(8).toString('hex');

let folder: string;
let all: SearchResult;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-places-'));
  all = await searchAfter(kept.map(([, lines]) => lines).join('\n'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A card with a cable to another machine, an empty disk, no services. */
const MACHINE = `
  set -eu
  soon() { until "$@" > /dev/null 2>&1; do sleep 0.02; done; }
  mount -t tmpfs tmpfs /run
  mkdir /run/disk /run/netns
  for device in /proc/sys/net/ipv4/conf/*; do echo 0 > $device/log_martians; done
  ip netns add other
  ip link add near type veth peer name far netns other
  ip -n other addr add ${FAR}/24 dev far
  ip -n other addr add ${THERE}/32 dev far
  ip -n other link set far up
  ip link set lo up
  ip addr add ${OWN}/32 dev lo
  ip addr add ${OWN6}/128 dev lo nodad
  ip addr add ${NEAR}/24 dev near
  ip addr add ${NEAR6}/64 dev near nodad
  ip link set near up
  ip route add ${THERE} via ${FAR}
  ip route add ${THERE6} dev near`;

/** Searches a machine of its own in namespaces, with processes, tables and a disk of its own, after some lines of a shell. */
async function searchAfter(lines: string, name = NAME): Promise<SearchResult> {
  const script = join(folder, 'script');
  await writeFile(script, `${MACHINE}\n${lines}\nexec ${process.execPath} ${searchFile}\n`);
  const request = {
    marks: { addresses: [OWN, OWN6, THERE, THERE6], names: [name] },
    leftAt: new Date().toISOString(),
    folders: ['/run/disk'],
  };
  const kinds = ['--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child'];
  // A child process, because the search skips its ancestors, and the script contains the marks;
  // init is searched.
  const { out } = await run('unshare', [...kinds, 'sh', '-c', `sh ${script}; exit`], JSON.stringify(request));
  const last = out.trim().split('\n').at(-1)!;
  if (!last.startsWith('{')) throw new Error(`the search failed: ${out}`);
  return searchResult.parse(JSON.parse(last));
}

/** A program that does something and stays. */
const perl = (code: string, place = '') =>
  `${place} perl -MSocket -e '${code}; open(F, ">", "/run/$$"); accept(C, S) && close(C) while 1' > /dev/null < /run/told & soon test -e /run/$!`;
/** A program that receives what is sent to an address. */
function hears(type: 'STREAM' | 'DGRAM', address: string, place?: string): string {
  const six = address.includes(':') ? 6 : '';
  const at = `pack_sockaddr_in${six}(99, Socket::inet_pton(PF_INET${six}, "${address}"))`;
  return perl(
    `socket(S, PF_INET${six}, SOCK_${type}, 0) && bind(S, ${at}) or die; listen(S, 9) if "${type}" eq "STREAM"`,
    place,
  );
}
/** An ICMP packet that reports a narrow path. */
const NARROW = perl(
  `my $sent = pack("CCnnnCCna4a4", 0x45, 0, 84, 0, 0, 64, 1, 0, inet_aton("${NEAR}"), inet_aton("${THERE}"));
   my $said = pack("CCnnn", 3, 4, 0, 0, 1000) . $sent . pack("CCnnn", 8, 0, 0, 1, 1);
   my $sum = 0;
   $sum += $_ for unpack("n*", $said);
   $sum = ($sum >> 16) + ($sum & 0xffff);
   substr($said, 2, 2) = pack("n", ~($sum + ($sum >> 16)) & 0xffff);
   socket(S, PF_INET, SOCK_RAW, 1) && send(S, $said, 0, pack_sockaddr_in(0, inet_aton("${NEAR}"))) or die`,
);
const NARROW6 = perl(
  `my ($near, $there) = map { Socket::inet_pton(PF_INET6, $_) } ("${NEAR6}", "${THERE6}");
   my $sent = pack("NnCCa16a16", 0x60000000, 8, 58, 64, $near, $there) . pack("CCnnn", 128, 0, 0, 1, 1);
   my $said = pack("CCnN", 2, 0, 0, 1300) . $sent;
   socket(S, PF_INET6, SOCK_RAW, 58) && send(S, $said, 0, pack_sockaddr_in6(0, $near)) or die`,
);
const rule = (family: string, statement: string) =>
  `nft 'add table ${family} spy
    add chain ${family} spy forward { type filter hook forward priority 0; }
    add rule ${family} spy forward ${statement}'`;
const setting = (name: string) => `sysctl -qw net.${name}=1`;

/** Traces by the place where they are found. The lines run one after the other on one machine. */
const kept: [where: string, lines: string][] = [
  ['disk: /run/disk/log', `echo ${NAME} > /run/disk/log`],
  [
    String.raw`disk: deleted file of sleep \(\d+\)`,
    `exec 3> /run/disk/gone; echo ${NAME} >&3; rm /run/disk/gone; sleep 60 & soon grep sleep /proc/$!/comm; exec 3>&-`,
  ],
  [String.raw`memory: perl \(\d+\)`, `echo ${NAME} > /run/told; ${perl('$told = <STDIN>')}`],
  [
    String.raw`memory: cmdline of sh \(\d+\)`,
    `sh -c 'sleep 60; exit' ${NAME} & soon grep ${NAME} /proc/$!/cmdline`,
  ],
  [String.raw`memory: environ of sleep \(\d+\)`, `WHO=${NAME} sleep 60 & soon grep ${NAME} /proc/$!/environ`],
  [
    'journal: journalctl .*',
    `mkdir -p /run/systemd/journal /run/log/journal
     /usr/lib/systemd/systemd-journald > /dev/null 2>&1 & soon test -S /run/systemd/journal/stdout
     echo ${NAME} | systemd-cat; soon sh -c 'journalctl | grep ${NAME}'`,
  ],
  ['kernelLog: dmesg', `echo fixpoint test: ${NAME} > /dev/kmsg`],
  [
    'connections: nf_conntrack',
    `conntrack -I -p tcp -s ${THERE} -d ${FAR} --sport 1 --dport 2 --state ESTABLISHED -t 60 > /dev/null 2>&1`,
  ],
  ['connections: tcp', hears('STREAM', OWN)],
  ['connections: tcp6', hears('STREAM', OWN6)],
  ['connections: udp', hears('DGRAM', OWN)],
  ['connections: udp6', hears('DGRAM', `::ffff:${OWN}`).replace('99', '98')],
  [
    'connections: ip tcp_metrics show',
    `${hears('STREAM', THERE, 'ip netns exec other')}
     soon bash -c 'cat < /dev/tcp/${THERE}/99; ip tcp_metrics | grep ^${THERE}'`,
  ],
  ['connections: ip route show cache', `${NARROW}; soon sh -c 'ip route get ${THERE} | grep mtu'`],
  ['connections: ip -6 route show cache', `${NARROW6}; soon sh -c 'ip route get ${THERE6} | grep mtu'`],
  ['connections: arp', `ip neigh add ${THERE} lladdr 02:00:00:00:00:01 dev near`],
  ['connections: ip neigh show', `ip neigh replace ${THERE6} lladdr 02:00:00:00:00:01 dev near`],
  [
    'connections: nft list ruleset',
    `nft 'add table inet seen; add set inet seen who { type ipv4_addr; elements = { ${THERE} }; }'`,
  ],
  ['configuration: nft inet spy forward', rule('inet', 'log')],
  ['configuration: nft ip spy forward', rule('ip', `dup to ${FAR}`)],
  ...['nf_conntrack_acct', 'nf_conntrack_timestamp', 'nf_conntrack_log_invalid'].map(
    (name): [string, string] => [`configuration: ${name}`, setting(`netfilter.${name}`)],
  ),
  ['configuration: near/log_martians', setting('ipv4.conf.near.log_martians')],
];

test.each(kept)('S81 finds what is kept in %s', where => {
  const found = all.findings.map(finding => `${finding.place}: ${finding.where}`);
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${where}$`)));
});

test('S81 finds nothing where there is nothing', async () => {
  const { findings, unread, processes } = await searchAfter('', 'nobodywashere');
  expect({ findings, unread, processes }).toEqual({ findings: [], unread: [], processes: 1 });
});

test('S81 a report names what runs: another program, rule or sysctl is another configuration', async () => {
  const [copy, begin] = [
    'cp /bin/sleep /run/disk/daemon',
    '/run/disk/daemon 60 & soon grep daemon /proc/$!/comm',
  ];
  const chain = (policy: string, ...rules: string[]) =>
    `nft 'add table inet t; add chain inet t c { type filter hook input priority 0; policy ${policy}; }
      ${rules.map(one => `add rule inet t c ${one}`).join('\n')}'`;
  const hosts = [
    '',
    `${copy}; ${begin}`,
    `${copy}; printf x >> /run/disk/daemon; ${begin}`,
    chain('drop'),
    chain('accept', 'tcp dport 22 drop'),
    chain('accept', 'tcp dport 23 drop'),
    'sysctl -qw net.netfilter.nf_conntrack_tcp_timeout_established=7441',
  ];
  const hashOf = async (lines: string) => (await searchAfter(lines)).configuration;
  const hashes: string[] = [];
  for (const lines of hosts) hashes.push(await hashOf(lines));
  expect(new Set(hashes).size).toBe(hosts.length);
  // Equal configurations have equal hashes.
  for (const n of [2, 4]) expect(await hashOf(hosts[n]!)).toBe(hashes[n]);
});
