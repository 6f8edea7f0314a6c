import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEASURE_PATH } from '@fixpoint/contract/measure.ts';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serveMeasure } from './measure.ts';

const app = fastify();
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await serveMeasure(app, () => true);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  vi.useRealTimers();
  await app.close();
});

/** Starts a measurement without reading it. */
const begin = (ticket: string) =>
  new Promise<IncomingMessage>(begun => {
    const { port } = app.server.address() as AddressInfo;
    get({ port, host: '127.0.0.1', path: `${MEASURE_PATH}?ticket=${ticket}`, agent: false }, begun);
  });
const cut = (response: IncomingMessage) =>
  new Promise<string>(ended => response.once('error', (error: Error) => ended(error.message)).resume());

test('S69 a ticket has one measurement at a time, and none lasts longer than 30 seconds, however slowly it is read', async () => {
  const first = await begin('mine');
  const again = await begin('mine');
  expect(await cut(first)).toBe('aborted');
  const others = await Promise.all(Array.from({ length: 7 }, (_, n) => begin(`other-${n}`)));
  expect(others.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(200));
  expect((await begin('one-more')).statusCode).toBe(429);
  vi.advanceTimersByTime(30_000);
  expect(await Promise.all([again, ...others].map(cut))).toEqual(Array(8).fill('aborted'));
  const later = await begin('one-more');
  expect(later.statusCode).toBe(200);
  later.destroy();
});
