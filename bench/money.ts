import { runLoadTest } from '@fixpoint/testkit/load-test/load-test.ts';
import { repeatCommand } from '@fixpoint/testkit/load-test/repeat-command.ts';
import { signUp } from '../apps/api/test/helpers/people.ts';
import { readArguments } from './command/arguments.ts';
import { withTestShop } from './command/test-shop.ts';

/**
 * `npm run bench -- money [10000] [--seed N] [--round 200] [--parallel 16] [--hasty]` simulates buyers with four payment
 * methods and three currencies under injected faults, in this process, on a shop clock that the bench advances. Afterwards
 * nothing may be lost, taken twice, delivered twice or left open. Buyers come in rounds, each to a new shop. A failed round
 * prints the command that repeats its buyers, faults and actions (their order only with `--parallel 1`), and the run exits
 * with 1. `--hasty` leaves out slow faults, as the short run of `npm test` does.
 */
const usage = 'money [10000] [--seed N] [--round 200] [--parallel 16] [--hasty]';
const { values, positionals } = readArguments(usage, 1, {
  seed: { type: 'string', default: String(process.pid) },
  round: { type: 'string', default: '200' },
  parallel: { type: 'string', default: '16' },
  hasty: { type: 'boolean', default: false },
});
const all = Number(positionals[0] ?? 10_000);
const parallel = Number(values.parallel);
const began = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}`);

/** Runs one round in a new shop. @returns violated invariants and the command that repeats the round; empty when all hold */
async function round(buyers: number, seed: string): Promise<string[]> {
  const options = { buyers, seed, parallel, patient: !values.hasty };
  const violations = await withTestShop(shop =>
    runLoadTest(shop, { ...options, say, signUp: email => signUp(shop, email) }),
  );
  return violations.length > 0 ? [...violations, repeatCommand(options)] : [];
}

const size = Math.min(Number(values.round), all);
let failed = 0;
for (let done = 0; done < all; done += size) {
  const buyers = Math.min(size, all - done);
  const seed = done === 0 ? values.seed : `${values.seed}+${done / size}`;
  const violations = await round(buyers, seed);
  say(`${done + buyers} of ${all}`);
  if (violations.length === 0) continue;
  failed += 1;
  console.log(violations.join('\n'));
}
console.log(failed === 0 ? 'The books balance.' : `${failed} rounds failed.`);
process.exitCode = failed === 0 ? 0 : 1;
