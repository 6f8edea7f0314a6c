import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { afterTimeout } from './timeout.ts';

it('a machine that stood still for longer than somebody waits has lost a step of it, and no more', async () => {
  let late = false;
  afterTimeout(300, () => {
    late = true;
  });
  const until = performance.now() + 400;
  while (performance.now() < until);
  await nextTurn();
  expect(late).toBe(false);
  await expect.poll(() => late).toBe(true);
});

it('nobody is called who has ended it', async () => {
  let late = false;
  const end = afterTimeout(10, () => {
    late = true;
  });
  end();
  await sleep(50);
  expect(late).toBe(false);
});
