import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAnswerCache } from './answer-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('S02 concurrent questions share one answer, and a known one is served while the next is fetched', async () => {
  let [asked, price] = [0, 100];
  let arrive: (() => void)[] = [];
  const answer = createAnswerCache<number>();
  const prices = () =>
    answer('prices', async () => {
      asked += 1;
      await new Promise<void>(done => arrive.push(done));
      return price;
    });
  const settle = async () => {
    for (const done of arrive) done();
    arrive = [];
    await new Promise(next => setImmediate(next));
  };

  const first = Promise.all([prices(), prices(), prices()]);
  await settle();
  expect([await first, asked]).toEqual([[100, 100, 100], 1]);

  price = 200;
  vi.advanceTimersByTime(999);
  expect([await prices(), asked]).toEqual([100, 1]);
  vi.advanceTimersByTime(1);
  expect([await prices(), await prices(), asked]).toEqual([100, 100, 2]);
  await settle();
  expect([await prices(), asked]).toEqual([200, 2]);

  // Nobody asked for a while, so the known answer is too old.
  price = 300;
  vi.advanceTimersByTime(5_000);
  const late = prices();
  await settle();
  expect([await late, asked]).toEqual([300, 3]);
});

test('S71 while the database is unreachable the last good answer is repeated, and none is invented', async () => {
  const answer = createAnswerCache<number>();
  const broken = () => Promise.reject(new Error('gone'));
  await expect(answer('a', broken)).rejects.toThrow('gone');
  expect(await answer('a', async () => 1)).toBe(1);
  for (const ms of [1_000, 60_000]) {
    vi.advanceTimersByTime(ms);
    expect(await answer('a', broken)).toBe(1);
  }
  await expect(answer('b', broken)).rejects.toThrow('gone');
});
