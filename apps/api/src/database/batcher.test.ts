import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

/** Answers each batch on demand. */
function slow() {
  const batches: { asked: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  const ask = createBatcher(async (asked: readonly string[]) => {
    const end = Promise.withResolvers<void>();
    batches.push({ asked, end });
    await end.promise;
    return asked.map(name => `${name}!`);
  });
  return { ask, batches };
}

test('the first caller is answered alone, callers that arrive meanwhile in one batch, each with their own answer', async () => {
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

test('an error rejects all callers of its batch and nobody else', async () => {
  const { ask, batches } = slow();
  const first = ask('a');
  const others = [ask('b'), ask('c')];
  batches[0]!.end.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await delay(0);
  batches[1]!.end.resolve();
  expect(await Promise.all(others)).toEqual(['b!', 'c!']);
});

test('a hanging batch does not block later callers for long', async () => {
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
