import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf, treeOf } from './calls/cpu.ts';
import { readArguments } from './command/arguments.ts';
import { verdict } from './command/verdict.ts';
import { npmStart } from './start/npm-start.ts';

/**
 * `npm run bench -- memory [seconds]` measures the memory of each idle process of `npm start` without sandbox and demo region.
 * Shared pages count proportionally (PSS), so that the lines add up. Exits with 1 when a goal is missed.
 */
const { positionals } = readArguments('memory [seconds]', 1, {});
const REST_MS = Number(positionals[0] ?? 20) * 1000;
const KINDS: [name: string, command: RegExp][] = [
  ['API', /apps\/api\/src\/main\.ts/],
  ['PostgreSQL', /^postgres|\/postgres/],
  ['npm', /^npm /],
  ['starter', /start\.mjs|run\.ts/],
];

const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-memory-'));
const started = await npmStart(dataDir);
try {
  await delay(REST_MS);
  const memory = new Map<string, { mib: number; processes: number }>();
  for (const pid of await treeOf(started.pid)) {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
      .replaceAll('\0', ' ')
      .trim();
    const mib = await memoryOf(pid);
    if (mib === 0) continue;
    const name =
      KINDS.find(([, pattern]) => pattern.test(command))?.[0] ?? (command.split(' ')[0] || 'other');
    const sum = memory.get(name) ?? { mib: 0, processes: 0 };
    memory.set(name, { mib: sum.mib + mib, processes: sum.processes + 1 });
  }
  for (const [name, { mib, processes }] of memory)
    console.log(
      `${name.padEnd(16)} ${mib.toFixed(0).padStart(5)} MiB   ${processes} ${processes > 1 ? 'processes' : 'process'}`,
    );
  const shop = (memory.get('API')?.mib ?? 0) + (memory.get('PostgreSQL')?.mib ?? 0);
  const goals = [
    verdict('200 MiB (FP8)', shop <= 200),
    verdict('one starter (FP8)', memory.get('starter')?.processes === 1),
  ];
  console.log(`shop with database ${shop.toFixed(0)} MiB   ${goals.join(', ')}`);
} finally {
  await started.stop();
  await rm(dataDir, { recursive: true, force: true });
}
