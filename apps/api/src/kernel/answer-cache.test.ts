import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepAnswering } from './answer-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('S02 everybody who asks at once waits for one answer, and a known one serves while the next is on its way', async () => {
  let [asked, price] = [0, 100];
  let arrive: (() => void)[] = [];
  const answer = keepAnswering<number>();
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

  // Nobody asked for a while: what is known is too old to show.
  price = 300;
  vi.advanceTimersByTime(5_000);
  const late = prices();
  await settle();
  expect([await late, asked]).toEqual([300, 3]);
});

test('S71 while the database cannot be asked the last good answer is repeated, and none is made up', async () => {
  const answer = keepAnswering<number>();
  const broken = () => Promise.reject(new Error('gone'));
  await expect(answer('a', broken)).rejects.toThrow('gone');
  expect(await answer('a', async () => 1)).toBe(1);
  for (const ms of [1_000, 60_000]) {
    vi.advanceTimersByTime(ms);
    expect(await answer('a', broken)).toBe(1);
  }
  await expect(answer('b', broken)).rejects.toThrow('gone');
});
