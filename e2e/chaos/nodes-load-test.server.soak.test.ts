import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopAndSearch } from '../searched-stop.ts';
import { forLoadTest, nodesLoadTest } from './nodes-load-test.ts';

let stack: Stack;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-chaos-'));
  stack = await startStack({ dataDir, ...forLoadTest });
});
afterAll(async () => {
  if (stack) await stopAndSearch(stack, dataDir);
});

test('FM1 FM5 F1 F10 F11 buyers at nodes that die, on a database that dies, lose nothing and pay nothing twice', async () => {
  const seed = 'nodes';
  const wrong = await nodesLoadTest(stack, { dataDir, buyers: 24, seed, parallel: 6, longestFreeze: 1_500 });
  const again = `npm run bench -- chaos --buyers 24 --seed ${seed} --parallel 6 --freeze 1.5`;
  expect(wrong, again).toEqual([]);
  // An idle machine needs half a minute, a busy one several.
}, 400_000);
