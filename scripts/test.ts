import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { howToInstall, missingPrograms, provide } from '@fixpoint/dev-stack/debian.ts';
import { givenEnv, readSettings, testEverything } from '@fixpoint/dev-stack/env.ts';
import { describeFailure, describeTests, shortened } from './testing/failure.ts';
import { endLeftOver, type Process } from './testing/left-over.ts';
import { type Result, runStep, skipped } from './testing/run-step.ts';
import { checks, type Step, soakSuites, suites } from './testing/steps.ts';

const atOnce = 2;
/** A process gives itself 10 s to end. */
const endPatience = 15_000; // ms

/** What `npm test` may cost: 15 minutes of two quiet cores. */
const BUDGET = 1_620; // core-seconds

/**
 * `npm test`: every check, then every suite. `--checks`: only what needs no server, browser or network; `--all`: the suites
 * of `npm run test:all` too. `--only NAME`: one step. Each step says what it has cost in core-seconds. The last line is the
 * sum; the exit code is 1 when anything failed.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { checks: { type: 'boolean' }, all: { type: 'boolean' }, only: { type: 'string' } },
  });
  if (values.all) testEverything();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  process.once('disconnect', () => stop.abort());

  const known = [...checks, ...[...suites, ...soakSuites].flat()].map(({ name }) => name);
  if (values.only !== undefined && !known.includes(values.only)) {
    say(`There is no step "${values.only}". There is: ${known.join(', ')}`);
    process.exit(1);
  }
  const chosen = (steps: Step[]) => steps.filter(({ name }) => !values.only || name === values.only);
  const wanted = values.all || values.only ? [...suites, ...soakSuites] : suites;
  const later = values.checks ? [] : wanted.map(chosen);
  await providePrograms(later.flat());
  const reports = await mkdtemp(join(tmpdir(), 'fixpoint-reports-'));
  const results: Result[] = [];
  const run = async (step: Step) => {
    if (stop.signal.aborted) return;
    results.push(await report(step, reports, stop.signal));
  };
  await eachOf(chosen(checks), atOnce, run);
  for (const group of later) await Promise.all(group.map(run));
  const leftOver = await endLeftOver(reports, endPatience);
  await rm(reports, { recursive: true });
  if (stop.signal.aborted) process.exit(130);
  if (leftOver.length > 0) results.push(failedFor(leftOver));
  finish(results);
}

async function providePrograms(steps: Step[]): Promise<void> {
  const wanted = Object.assign(
    {},
    ...steps.map(({ programs, offered }) => ({ ...offered, ...programs })),
  ) as Record<string, string>;
  if (!readSettings(givenEnv()).noInstall) await provide(wanted, say);
}

async function report(step: Step, reports: string, signal: AbortSignal): Promise<Result> {
  const missing = missingPrograms(Object.keys(step.programs ?? {}));
  const obstacle = missing.length > 0 ? howToInstall(missing, step.programs ?? {}) : step.obstacle?.();
  if (obstacle) {
    say(`SKIPPED  ${step.name.padEnd(26)}   ${obstacle}`);
    return skipped(step, obstacle);
  }
  const result = await runStep(step, reports, signal);
  const { passed, failed, skipped: left, seconds, coreSeconds } = result;
  const counts = step.counts === 'exit' ? '' : `  ${passed} passed${left ? `, ${left} skipped` : ''}`;
  const work = coreSeconds === undefined ? '' : `${coreSeconds.toFixed(0).padStart(6)} core-s`;
  say(
    `${failed ? 'FAILED ' : 'ok     '}  ${step.name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s${work}${counts}`,
  );
  // At once: of a run that is cut short, only its beginning is kept.
  for (const line of describeTests(result.failedTests)) say(line);
  return result;
}

/** Processes of the run that did not end with it: a step of its own, which has failed. */
function failedFor(leftOver: Process[]): Result {
  const lines = leftOver.map(({ pid, command }) => `${pid} ${command}`);
  return {
    name: 'nothing is left running',
    passed: 0,
    failed: 1,
    skipped: 0,
    skippedTests: [],
    seconds: 0,
    failedTests: [],
    output: `These had not ended ${endPatience / 1000} s after the last step, and were killed:\n${lines.join('\n')}`,
  };
}

/** Runs `work` on every step, so many at once, in order. */
async function eachOf(steps: Step[], many: number, work: (step: Step) => Promise<void>): Promise<void> {
  const waiting = [...steps];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await work(step);
  };
  await Promise.all(Array.from({ length: many }, worker));
}

function finish(results: Result[]): void {
  for (const test of results.flatMap(({ skippedTests }) => skippedTests))
    say(`SKIPPED    ${shortened(test)}`);
  for (const { name, failed, failedTests, output } of results) {
    if (failed) say(`\n${describeFailure(name, failedTests, output)}`);
  }
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    results.reduce((total, result) => total + result[key], 0);
  const work = results.reduce((total, { coreSeconds = 0 }) => total + coreSeconds, 0);
  if (work > 0) say(`\n${work.toFixed(0)} core-seconds (npm test: at most ${BUDGET})`);
  say(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  const nothing = sum('passed') + sum('skipped') === 0;
  process.exit(sum('failed') > 0 || nothing ? 1 : 0);
}

function say(line: string): void {
  console.log(line);
}

await main();
