import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attacks } from '@fixpoint/testkit/attacks/attacks.ts';
import { measureAttack } from '@fixpoint/testkit/attacks/measure.ts';
import { startTarget } from '@fixpoint/testkit/attacks/target.ts';
import { slowness } from '@fixpoint/testkit/slowness.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveHuman } from '../helpers/people.ts';

let dataDir: string;
let target: Awaited<ReturnType<typeof startTarget>>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-attacks-'));
  target = await startTarget(dataDir, proveHuman);
});
afterAll(async () => {
  await target?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** One of them once blocked the loop for 4,000 ms. `npm run bench -- attacks` measures exactly on an idle machine. */
const MOST_HELD_MS = 500;

test.each(attacks.map(attack => [attack.name, attack] as const))('%s', async (_, attack) => {
  const { underAttack, answers } = await measureAttack(
    attack,
    await target.target(),
    target.metricsUrl,
    0.25,
  );
  expect(underAttack.eventLoopDelay.max).toBeLessThan(MOST_HELD_MS * slowness());
  expect(Object.keys(answers).length).toBeGreaterThan(0);
  expect(answers[500], 'a fault of the shop').toBeUndefined();
});
