import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLongPolls } from './long-polls.ts';

const listens = new AbortController().signal;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('FV21 a change wakes its own host and no other, on each connection that it asks on', async () => {
  const waits = createLongPolls();
  const [one, two, other] = ['a', 'a', 'b'].map(host => waits.wait(host, 25, listens));
  waits.wake('a');
  expect(await Promise.all([one, two])).toEqual([true, true]);
  vi.advanceTimersByTime(25_000);
  expect(await other).toBe(false);
});

test('FV21 nothing is looked for again when the time is over, who asked is gone or the node ends', async () => {
  const waits = createLongPolls();
  const gone = new AbortController();
  const late = waits.wait('a', 5, listens);
  vi.advanceTimersByTime(5000);
  expect(await late).toBe(false);
  const left = waits.wait('a', 5, gone.signal);
  gone.abort();
  expect(await left).toBe(false);
  const held = waits.wait('a', 5, listens);
  waits.end();
  expect(await held).toBe(false);
});

test('FV21 whoever may have missed something looks again', async () => {
  const waits = createLongPolls();
  const held = ['a', 'b'].map(host => waits.wait(host, 25, listens));
  waits.wakeAll();
  expect(await Promise.all(held)).toEqual([true, true]);
});
