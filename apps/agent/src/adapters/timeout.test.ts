import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { afterTimeout } from './timeout.ts';

it('a suspended machine advances a timeout by one step only', async () => {
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

it('a cancelled timeout does not fire', async () => {
  let late = false;
  const end = afterTimeout(10, () => {
    late = true;
  });
  end();
  await sleep(50);
  expect(late).toBe(false);
});
