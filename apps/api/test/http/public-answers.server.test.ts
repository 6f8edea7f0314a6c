import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

/** Raw answer, because `fetch` would decompress it. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(`${shop.url}${path}`, { headers }, async answer => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { date, connection, 'keep-alive': _, ...rest } = answer.headers;
      resolve({ headers: rest, body: Buffer.concat(chunks) });
    }).on('error', reject);
  });

test('FP4 FP7 a cached answer has the same headers and bytes', async () => {
  for (const path of ['/v1/order/getAllPlan', '/v1/uiText/lang?lang=th', '/v1/order/getTerm']) {
    const first = await ask(path, { 'accept-encoding': 'br' });
    const second = await ask(path, { 'accept-encoding': 'br' });
    expect(second.headers).toEqual(first.headers);
    expect(second.body.equals(first.body)).toBe(true);
    expect(first.headers['content-security-policy']).toContain("default-src 'none'");
    expect(first.headers['cache-control']).toBe('no-store');
  }
});

test('FC17 each client gets an encoding that it accepts, and none that it refuses', async () => {
  const path = '/v1/uiText/lang?lang=en';
  const plain = await ask(path);
  const brotli = await ask(path, { 'accept-encoding': 'gzip, br' });
  const gzip = await ask(path, { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
  const none = await ask(path, { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
  expect([plain, brotli, gzip, none].map(({ headers }) => headers['content-encoding'])).toEqual([
    undefined,
    'br',
    'gzip',
    undefined,
  ]);
  expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
  expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
  expect(none.body.equals(plain.body)).toBe(true);
});

test('an answer in one language is never sent in another', async () => {
  const terms = async (language: string) =>
    (await ask('/v1/order/getTerm', { 'accept-language': language })).body.toString();
  const [english, thai] = [await terms('en'), await terms('th')];
  expect(thai).not.toBe(english);
  expect(await terms('en')).toBe(english);
});

test('a refused call is not cached', async () => {
  const path = '/v1/order/getAllPlan?currency=XXX';
  for (let time = 0; time < 2; time++) expect((await ask(path)).body.toString()).toContain('6002');
});
