import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attacks } from '@fixpoint/testkit/attacks/attacks.ts';
import { type Figures, measureAttack } from '@fixpoint/testkit/attacks/measure.ts';
import { startTarget } from '@fixpoint/testkit/attacks/target.ts';
import { proveHuman } from '../apps/api/test/helpers/people.ts';
import { readArguments } from './command/arguments.ts';

/**
 * `npm run bench -- attacks [--seconds 5] [--only FS5]` measures how long each attack blocks the event loop and how long
 * visitors wait meanwhile, compared with the same visitors without the attack. Exits with 1 when an attack by a stranger or
 * a customer blocks for more than 50 ms and also uses that much CPU: waits alone are long on a busy machine.
 */
const { values } = readArguments('attacks [--seconds 5] [--only FS5]', 0, {
  seconds: { type: 'string', default: '5' },
  only: { type: 'string', default: '' },
});
const MAX_BLOCKED_MS = 50;

const HEAD = ['block', 'p99', 'wait', 'max'].map(word => word.padStart(6)).join('');
const columns = ({ eventLoopDelay: held, latency: waited }: Figures): string =>
  [held.max, held.p99, waited.median, waited.max].map(ms => ms.toFixed(0).padStart(6)).join('');

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-attacks-'));
const { target, metricsUrl, stop } = await startTarget(dataDir, proveHuman);
try {
  console.log(`${''.padEnd(72)}${'quiet'.padEnd(25)}attacked`);
  console.log(`${'in ms'.padEnd(68)}${HEAD} |${HEAD}  CPU of one`);
  for (const attack of attacks.filter(({ name }) => name.includes(values.only))) {
    const measured = await measureAttack(attack, await target(), metricsUrl, Number(values.seconds));
    const { baseline, underAttack, cpu, answers } = measured;
    const statuses = Object.entries(answers).map(([status, count]) => `${status} × ${count}`);
    const isOver = !attack.byHost && Math.min(underAttack.eventLoopDelay.max, cpu) > MAX_BLOCKED_MS;
    console.log(
      `${attack.name.padEnd(68)}${columns(baseline)} |${columns(underAttack)}${cpu.toFixed(1).padStart(7)}   ` +
        `${statuses.join(', ')}${isOver ? '   OVER' : ''}`,
    );
    if (isOver) process.exitCode = 1;
  }
} finally {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
}
