import { MEASURE_BYTES, MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import { Fault } from '@fixpoint/web-client/faults.ts';
import { config } from './config.ts';

/** Time for the line to reach its rate, and time of the measurement after that, ms. */
const [WARM_MS, MEASURE_MS] = [1_000, 4_000];
/** Timeout of a stalled line, ms. */
const TIMEOUT_MS = 20_000;
const FIRST_BYTES = 1024 * 1024;
const PIECE = 64 * 1024;

const request = async (ticket: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(
    `${config().API_URL}${MEASURE_PATH}?${new URLSearchParams({ ticket })}`,
    init,
  ).catch(() => undefined);
  if (!response?.ok) throw new Fault('the measurement was interrupted');
  return response;
};

const mbit = (bytes: number, ms: number): number => (bytes * 8) / 1000 / ms;

/** @returns Mbit/s from the shop to this page, over its current line */
export async function measureDown(ticket: string): Promise<number> {
  const measured = new AbortController();
  const signal = AbortSignal.any([measured.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const reader = (await request(ticket, { signal })).body!.getReader();
  const begun = performance.now();
  let [from, before, bytes] = [begun, 0, 0];
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new Fault('the measurement was interrupted');
    });
    const now = performance.now();
    bytes += value?.length ?? 0;
    if (from === begun && now - begun > WARM_MS) [from, before] = [now, bytes];
    if (!done && now - from < MEASURE_MS) continue;
    measured.abort();
    // A line that finishes within a second gets no warm-up.
    return now > from ? mbit(bytes - before, now - from) : mbit(bytes, now - begun);
  }
}

/** Random bytes, which nothing on the way can compress. */
function randomBytes(size: number): Blob {
  const piece = crypto.getRandomValues(new Uint8Array(PIECE));
  return new Blob(Array<BlobPart>(Math.ceil(size / PIECE)).fill(piece), { type: 'application/octet-stream' });
}

/** @returns Mbit/s from this page to the shop */
export async function measureUp(ticket: string): Promise<number> {
  const send = async (size: number) => {
    const begun = performance.now();
    const body = randomBytes(size);
    await request(ticket, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return mbit(body.size, performance.now() - begun);
  };
  // The size that fits into the time is unknown in advance, so a small upload estimates it.
  const first = await send(FIRST_BYTES);
  return send(Math.min(MEASURE_BYTES, Math.max(FIRST_BYTES, (first * 1000 * MEASURE_MS) / 8)));
}
