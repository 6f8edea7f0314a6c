import { createSocket } from 'node:dgram';
import { exitWithParent } from '@fixpoint/contract/supervised.ts';
import { ADDRESSES } from './namespaces.ts';

/**
 * The eyes of a customer: runs inside the customer's namespace and is asked over the channel to its parent. One process
 * for many questions, so that an answer takes as long as the network and not as long as a start of Node.
 */
export type Question =
  | { ask: 'address' }
  | { ask: 'ping'; timeoutMs: number }
  | { ask: 'download'; bytes: number }
  | { ask: 'upload'; bytes: number }
  | { ask: 'watch' }
  | { ask: 'lastEcho' };

const internet = `http://${ADDRESSES.internet}`;

async function address(): Promise<string> {
  const answer = await fetch(`${internet}/json`, { signal: AbortSignal.timeout(5000) });
  return ((await answer.json()) as { address: string }).address;
}

/** Milliseconds that an echo takes; null when none comes. */
function ping(timeoutMs: number): Promise<number | null> {
  const socket = createSocket('udp4');
  return new Promise<number | null>(resolve => {
    const sent = performance.now();
    socket.once('message', () => resolve(performance.now() - sent));
    // No route any more: as good as no answer.
    socket.once('error', () => resolve(null));
    socket.send('?', 7, ADDRESSES.internet);
    setTimeout(() => resolve(null), timeoutMs);
  }).finally(() => socket.close());
}

/** Mbit/s of one stream. */
async function rate(bytes: number, transfer: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await transfer();
  return (bytes * 8) / 1000 / (performance.now() - begun);
}

/** Sends an echo every 5 ms and remembers when the last one came back. */
let lastEcho = 0;
function watch(): void {
  const socket = createSocket('udp4');
  socket.on('message', () => {
    lastEcho = Date.now();
  });
  socket.on('error', () => undefined);
  setInterval(() => socket.send('?', 7, ADDRESSES.internet, () => undefined), 5);
}

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'address':
      return address();
    case 'ping':
      return ping(question.timeoutMs);
    case 'download':
      return rate(question.bytes, async () =>
        (await fetch(`${internet}/bytes/${question.bytes}`)).arrayBuffer(),
      );
    case 'upload':
      return rate(question.bytes, async () =>
        (await fetch(`${internet}/sink`, { method: 'POST', body: Buffer.alloc(question.bytes) })).text(),
      );
    case 'watch':
      return watch();
    case 'lastEcho':
      return lastEcho;
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
