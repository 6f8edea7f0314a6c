import { MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import { createClient } from '@fixpoint/testkit/client.ts';

/**
 * `measure-line.ts URL TOKEN SUBSCRIPTION` measures a line as the web client does. Prints JSON: the connected subscriptions, and
 * both rates in Mbit/s if the shop grants a ticket.
 */
const [url, token, id] = process.argv.slice(2);
/** Duration of the download, in ms. */
const DURATION_MS = 4000;
/** Four seconds of the tested line. */
const UP_BYTES = 24 * 1024 * 1024;

const mbit = (bytes: number, since: number): number => (bytes * 8) / 1000 / (performance.now() - since);

async function measureDown(from: string): Promise<number> {
  const begun = performance.now();
  let bytes = 0;
  for await (const piece of (await fetch(from)).body!) {
    bytes += piece.length;
    if (performance.now() - begun > DURATION_MS) break;
  }
  return mbit(bytes, begun);
}

async function measureUp(to: string): Promise<number> {
  const body = new Uint8Array(UP_BYTES);
  const begun = performance.now();
  await fetch(to, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body });
  return mbit(body.length, begun);
}

const { subscription } = createClient(url!, token);
const { ids } = (await subscription.connected()).data!;
const { ticket } = (await subscription.measure({ body: { id: id! } })).data!;
const address = ticket && `${url}${MEASURE_PATH}?${new URLSearchParams({ ticket })}`;
const rates = address ? { down: await measureDown(address), up: await measureUp(address) } : {};
console.log(JSON.stringify({ ids, ...rates }));
