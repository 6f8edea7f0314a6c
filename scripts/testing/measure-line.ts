import { MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import { createClient } from '@fixpoint/testkit/client.ts';

/**
 * Measures a line as the page does, from where it runs: `measure-line.ts URL TOKEN SUBSCRIPTION`. Writes what the shop says of
 * that line, and its rates both ways where it gives a ticket, as JSON.
 */
const [url, token, id] = process.argv.slice(2);
/** So long it is measured, in ms: from the beginning, as nothing that came before is counted then. */
const LONG_MS = 4000;
/** Four seconds of the line that is measured. */
const UP_BYTES = 24 * 1024 * 1024;

const mbit = (bytes: number, since: number): number => (bytes * 8) / 1000 / (performance.now() - since);

async function measureDown(from: string): Promise<number> {
  const begun = performance.now();
  let bytes = 0;
  for await (const piece of (await fetch(from)).body!) {
    bytes += piece.length;
    if (performance.now() - begun > LONG_MS) break;
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
const place = ticket && `${url}${MEASURE_PATH}?${new URLSearchParams({ ticket })}`;
const rates = place ? { down: await measureDown(place), up: await measureUp(place) } : {};
console.log(JSON.stringify({ ids, ...rates }));
