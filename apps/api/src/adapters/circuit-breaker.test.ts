import { beforeEach, expect, test } from 'vitest';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';

let at: number;
let circuitBreaker: CircuitBreaker;
let made: number;
beforeEach(() => {
  at = 0;
  made = 0;
  circuitBreaker = createCircuitBreaker(() => at);
});
const answers = () => {
  made += 1;
  return Promise.resolve('answer');
};
const fails = (afterMs: number) => () => {
  made += 1;
  at += afterMs;
  return Promise.reject(new Error('no answer'));
};
const silence = async (times: number) => {
  for (let n = 0; n < times; n += 1) await expect(circuitBreaker(fails(10_000))).rejects.toThrow('no answer');
};

test('FM6 a provider that has not answered three times in a row is called once in ten seconds, until it answers', async () => {
  await silence(3);
  await expect(circuitBreaker(answers)).rejects.toThrow('has not answered lately');
  expect(made).toBe(3);
  at += 10_000;
  // One call probes; the others do not wait for it.
  let giveUp = (_: Error) => {};
  const asking = circuitBreaker(
    () =>
      new Promise((_, reject) => {
        giveUp = reject;
      }),
  );
  await expect(circuitBreaker(answers)).rejects.toThrow('has not answered lately');
  at += 9_999;
  giveUp(new Error('no answer'));
  await expect(asking).rejects.toThrow('no answer');
  await expect(circuitBreaker(answers)).rejects.toThrow('has not answered lately');
  expect(made).toBe(3);
  at += 10_000;
  expect(await circuitBreaker(answers)).toBe('answer');
  expect(await circuitBreaker(answers)).toBe('answer');
});

test('an answer in between, or a failure without a wait, does not count as silence', async () => {
  await silence(2);
  expect(await circuitBreaker(answers)).toBe('answer');
  await silence(2);
  for (let n = 0; n < 5; n += 1) await expect(circuitBreaker(fails(5))).rejects.toThrow('no answer');
  expect(await circuitBreaker(answers)).toBe('answer');
});
