import { MEASURE_BYTES, MEASURE_PATH } from '@fixpoint/contract/measure.ts';

/**
 * Measures a line as the page does, from where it runs: `measure-line.ts URL TOKEN SUBSCRIPTION`. Writes what the shop says of
 * that line, and its rates both ways where it gives a ticket, as JSON.
 */
const [url, token, id] = process.argv.slice(2);
/** A line finds its rate in the first of these, in ms, and is measured in the second. */
const [WARM_MS, LONG_MS] = [1000, 3000];
/** Four seconds of the line that is measured. */
const UP_BYTES = 24 * 1024 * 1024;

async function data<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: T }).data;
}

const mbit = (bytes: number, since: number): number => (bytes * 8) / 1000 / (performance.now() - since);

async function measureDown(from: string): Promise<number> {
  const begun = performance.now();
  let [since, bytes] = [0, 0];
  for await (const piece of (await fetch(from)).body!) {
    if (since > 0) bytes += piece.length;
    else if (performance.now() - begun > WARM_MS) since = performance.now();
    if (since > 0 && performance.now() - since > LONG_MS) break;
  }
  return mbit(bytes, since);
}

async function measureUp(to: string): Promise<number> {
  const body = new Uint8Array(Math.min(MEASURE_BYTES, UP_BYTES));
  const begun = performance.now();
  await fetch(to, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body });
  return mbit(body.length, begun);
}

const { ids } = await data<{ ids: string[] }>('/v1/subscription/connected');
const { ticket } = await data<{ ticket?: string }>('/v1/subscription/measure', { id });
const place = ticket && `${url}${MEASURE_PATH}?${new URLSearchParams({ ticket })}`;
const rates = place ? { down: await measureDown(place), up: await measureUp(place) } : {};
console.log(JSON.stringify({ ids, ...rates }));
