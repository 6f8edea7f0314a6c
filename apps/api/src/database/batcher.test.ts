import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { together } from './batcher.ts';

/** Answers each batch when it is told to. */
function slow() {
  const batches: { asked: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  const ask = together(async (asked: readonly string[]) => {
    const end = Promise.withResolvers<void>();
    batches.push({ asked, end });
    await end.promise;
    return asked.map(name => `${name}!`);
  });
  return { ask, batches };
}

test('the first is asked for at once, those who come meanwhile together, each with an answer of his own', async () => {
  const { ask, batches } = slow();
  const first = ask('a');
  const others = [ask('b'), ask('c'), ask('b')];
  expect(batches.map(({ asked }) => asked)).toEqual([['a']]);
  batches[0]!.end.resolve();
  expect(await first).toBe('a!');
  await delay(0);
  batches[1]!.end.resolve();
  expect(await Promise.all(others)).toEqual(['b!', 'c!', 'b!']);
  expect(batches[1]!.asked).toEqual(['b', 'c', 'b']);
  const late = ask('d');
  batches[2]!.end.resolve();
  expect(await late).toBe('d!');
});

test('a fault is heard by all who were asked for together, and by nobody else', async () => {
  const { ask, batches } = slow();
  const first = ask('a');
  const others = [ask('b'), ask('c')];
  batches[0]!.end.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await delay(0);
  batches[1]!.end.resolve();
  expect(await Promise.all(others)).toEqual(['b!', 'c!']);
});

test('whoever hangs does not keep the others waiting for long', async () => {
  const { ask, batches } = slow();
  const hangs = ask('a');
  const other = ask('b');
  await delay(400);
  expect(batches.map(({ asked }) => asked)).toEqual([['a'], ['b']]);
  batches[1]!.end.resolve();
  expect(await other).toBe('b!');
  batches[0]!.end.resolve();
  expect(await hangs).toBe('a!');
});
