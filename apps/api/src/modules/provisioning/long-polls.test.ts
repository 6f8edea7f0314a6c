import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLongPolls } from './long-polls.ts';

const listens = new AbortController().signal;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('FV21 a change wakes all connections of its host and of no other', async () => {
  const waits = createLongPolls();
  const [one, two, other] = ['a', 'a', 'b'].map(host => waits.wait(host, 25, listens));
  waits.wake('a');
  expect(await Promise.all([one, two])).toEqual([true, true]);
  vi.advanceTimersByTime(25_000);
  expect(await other).toBe(false);
});

test('FV21 a wait ends with false after its timeout, a disconnect or the end of the node', async () => {
  const waits = createLongPolls();
  const gone = new AbortController();
  const late = waits.wait('a', 5, listens);
  vi.advanceTimersByTime(5000);
  expect(await late).toBe(false);
  const left = waits.wait('a', 5, gone.signal);
  gone.abort();
  expect(await left).toBe(false);
  const waiting = waits.wait('a', 5, listens);
  waits.end();
  expect(await waiting).toBe(false);
});

test('FV21 wakeAll wakes every host', async () => {
  const waits = createLongPolls();
  const both = ['a', 'b'].map(host => waits.wait(host, 25, listens));
  waits.wakeAll();
  expect(await Promise.all(both)).toEqual([true, true]);
});
