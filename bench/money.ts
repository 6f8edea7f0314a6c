import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@fixpoint/postgres/postgres.ts';
import { startTestShop } from '@fixpoint/testkit/shop.ts';
import { storm } from '@fixpoint/testkit/storm/storm.ts';
import { signUp } from '../apps/api/test/people.ts';
import { answerHelp } from './command/help.ts';

/**
 * `npm run bench -- money [--buyers 1000] [--seed N] [--parallel 16]`: buyers in a storm of faults, in this process, on a
 * clock that is moved by hand; then nothing may be lost, taken twice or left open. Ends with 1 when something is. The seed is
 * printed; with `--parallel 1` it repeats the calls in their order.
 */
answerHelp('money [--buyers 1000] [--seed N] [--parallel 16]');
const { values } = parseArgs({
  options: {
    buyers: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(process.pid) },
    parallel: { type: 'string', default: '16' },
  },
});
const { buyers, seed, parallel } = values;
const again = `npm run bench -- money --buyers ${buyers} --seed ${seed} --parallel ${parallel}`;
console.log(again);

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-money-'));
const postgres = await startPostgres({ dataDir, durable: false });
try {
  const database = { url: postgres.adminUrl, urls: postgres.urls };
  const shop = await startTestShop({ LOG_LEVEL: 'silent' }, undefined, database);
  const began = performance.now();
  const wrong = await storm(shop, {
    buyers: Number(buyers),
    seed,
    parallel: Number(parallel),
    patient: true,
    signUp: email => signUp(shop, email),
    say: line => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`),
  });
  await shop.stop();
  console.log(wrong.length === 0 ? 'The books balance.' : `${wrong.join('\n')}\nAgain: ${again}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
