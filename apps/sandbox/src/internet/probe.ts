import { createSocket, type Socket } from 'node:dgram';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import { ADDRESSES } from './namespaces.ts';

/**
 * Probe of a customer: runs in a namespace and answers questions of its parent. One process for
 * many questions, so that an answer does not include the start of Node.
 */
export type Question =
  | { ask: 'address'; family: 4 | 6 }
  | { ask: 'ping'; timeoutMs: number }
  | { ask: 'download'; bytes: number; family: 4 | 6 }
  | { ask: 'upload'; bytes: number }
  | { ask: 'watch' }
  | { ask: 'lastEcho' }
  | { ask: 'answers'; address: string; port: number; timeoutMs: number }
  | { ask: 'openFlows'; flows: number };

const internet = `http://${ADDRESSES.internet}`;
const internetBy = { 4: internet, 6: `http://[${ADDRESSES.internet6}]` } as const;

/**
 * Retries without an answer: an older connection may be dead, and the machine busy. A refusal is
 * returned at once.
 */
async function address(family: 4 | 6, tries = 6): Promise<string> {
  try {
    const answer = await fetch(`${internetBy[family]}/json`, { signal: AbortSignal.timeout(5000) });
    return ((await answer.json()) as { address: string }).address;
  } catch (error) {
    if (tries > 1 && (error as Error).name === 'TimeoutError') return address(family, tries - 1);
    throw error;
  }
}

/** Whether a TCP address and port accepts connections. */
function answers(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const socket = connect({ host, port });
  return new Promise<boolean>(resolve => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    setTimeout(() => resolve(false), timeoutMs);
  }).finally(() => socket.destroy());
}

/** Sends one packet on each of many connections, to different ports of the internet's server. */
async function openFlows(flows: number): Promise<void> {
  const socket = await tunnelSocket();
  for (let n = 0; n < flows; n++) {
    socket?.send('?', 1024 + n, ADDRESSES.internet, () => undefined);
    // In portions that the tunnel's queue can take.
    if (n % 100 === 99) await sleep(10);
  }
  socket?.close();
}

/**
 * Returns a socket bound to the tunnel's address, whose packets cannot leave another way; undefined
 * without a tunnel.
 */
async function tunnelSocket(): Promise<Socket | undefined> {
  const address = networkInterfaces().tun0?.find(({ family }) => family === 'IPv4')?.address;
  if (!address) return undefined;
  const socket = createSocket('udp4');
  socket.on('error', () => undefined);
  await new Promise<void>(resolve => socket.bind(0, address, resolve));
  return socket;
}

/** Round trip of an echo through the tunnel in ms; null without an answer. */
async function ping(timeoutMs: number): Promise<number | null> {
  const socket = await tunnelSocket();
  if (!socket) return null;
  return new Promise<number | null>(resolve => {
    const sent = performance.now();
    socket.once('message', () => resolve(performance.now() - sent));
    // A send error counts as no answer.
    socket.send('?', 7, ADDRESSES.internet, () => undefined);
    setTimeout(() => resolve(null), timeoutMs);
  }).finally(() => socket.close());
}

/** Throughput of one stream in Mbit/s. */
async function rate(bytes: number, transfer: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await transfer();
  return (bytes * 8) / 1000 / (performance.now() - begun);
}

/** Sends an echo every 5 ms and remembers when the last one came back. */
let lastEcho = 0;
async function watch(): Promise<void> {
  const socket = await tunnelSocket();
  socket?.on('message', () => {
    lastEcho = Date.now();
  });
  setInterval(() => socket?.send('?', 7, ADDRESSES.internet, () => undefined), 5);
}

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'address':
      return address(question.family);
    case 'ping':
      return ping(question.timeoutMs);
    case 'download':
      return rate(question.bytes, async () =>
        (await fetch(`${internetBy[question.family]}/bytes/${question.bytes}`)).arrayBuffer(),
      );
    case 'upload':
      return rate(question.bytes, async () =>
        (await fetch(`${internet}/sink`, { method: 'POST', body: Buffer.alloc(question.bytes) })).text(),
      );
    case 'watch':
      return watch();
    case 'lastEcho':
      return lastEcho;
    case 'answers':
      return answers(question.address, question.port, question.timeoutMs);
    case 'openFlows':
      return openFlows(question.flows);
  }
}

exitWithParent(async () => undefined);
process.on('message', ({ n, question }: { n: number; question: Question }) => {
  answer(question).then(
    value => process.send?.({ n, value: value ?? null }),
    (error: Error) => process.send?.({ n, fault: error.message }),
  );
});
process.send?.('ready');
