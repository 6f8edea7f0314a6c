import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Program inside a probe's tunnel, in a network namespace that gets only the tunnel device. Passed
 * as text, so it imports nothing of ours. Prints `ready` and its process id, reads one question
 * (`adapters/probe/inside.ts`), prints the result as JSON, and ends with its standard input.
 */
type Question = {
  device: string;
  /** Addresses with prefix length. */
  address: string;
  address6?: string;
  /** The tunnel's resolver. */
  resolver: string;
};

/** A DNS root server, known to every resolver: a query for the root reveals nobody. */
const ROOT6 = '2001:7fd::1';
const TRIES = 4;
const WAIT_MS = 1000;
/** An answer takes some milliseconds, and a buyer waits. */
const LOOK_MS = 5;

/**
 * DNS query for the root's name servers (RFC 1035), which every resolver answers from its cache.
 */
const ROOT_NS = Buffer.from('4650' + '0100' + '0001000000000000' + '00' + '0002' + '0001', 'hex');

const isAnswer = (packet: Buffer): boolean =>
  packet.length >= 12 &&
  packet.readUInt16BE(0) === ROOT_NS.readUInt16BE(0) &&
  // A response without an error.
  (packet[2]! & 0x80) !== 0 &&
  (packet[3]! & 0x0f) === 0;

/** @throws Error when `ip` refuses a line */
function open({ device, address, address6 }: Question): void {
  const lines = [
    `addr add ${address} dev ${device}`,
    `link set ${device} up mtu 1500`,
    `route add default dev ${device}`,
    ...(address6 ? [`addr add ${address6} dev ${device} nodad`, `route add ::/0 dev ${device}`] : []),
  ];
  execFileSync('ip', ['-batch', '-'], { input: `${lines.join('\n')}\n` });
}

/** Number of received IPv6 packets. Any answer counts, also an unreachable error. */
function came6(): number {
  const [, packets] = readFileSync('/proc/self/net/snmp6', 'utf8').match(/^Ip6InReceives\s+(\d+)$/m) ?? [];
  return Number(packets ?? 0);
}

async function look(question: Question): Promise<{ dns: boolean; answered6: boolean }> {
  open(question);
  const [socket, socket6] = [createSocket('udp4'), createSocket('udp6')];
  for (const each of [socket, socket6]) each.on('error', () => undefined);
  const seen = { dns: false, answered6: question.address6 === undefined };
  socket.on('message', packet => {
    seen.dns ||= isAnswer(packet);
  });
  const before = question.address6 ? came6() : 0;
  for (let tries = 0; tries < TRIES && !(seen.dns && seen.answered6); tries++) {
    socket.send(ROOT_NS, 53, question.resolver, () => undefined);
    if (question.address6) socket6.send(ROOT_NS, 53, ROOT6, () => undefined);
    // Measured by the clock: on a busy machine each sleep takes several times longer, and a buyer
    // waits.
    const until = performance.now() + WAIT_MS;
    while (performance.now() < until && !(seen.dns && seen.answered6)) {
      await sleep(LOOK_MS);
      if (question.address6) seen.answered6 = came6() > before;
    }
  }
  socket.close();
  socket6.close();
  return seen;
}

const lines = createInterface({ input: process.stdin });
lines.once('line', line => {
  look(JSON.parse(line)).then(
    seen => process.stdout.write(`${JSON.stringify(seen)}\n`),
    () => process.exit(1),
  );
});
lines.once('close', () => process.exit());
process.stdout.write(`ready ${process.pid}\n`);
