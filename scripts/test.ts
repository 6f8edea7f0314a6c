import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { howToInstall, installMissing, missingPrograms } from '@fixpoint/dev-stack/debian.ts';
import { givenEnv, readSettings, testEverything } from '@fixpoint/dev-stack/env.ts';
import { describeFailure, describeTests, shortened } from './testing/failure.ts';
import { endLeftOver, type Process } from './testing/left-over.ts';
import { type Result, runStep, skipped } from './testing/run-step.ts';
import { checks, type Step, soakSuites, suites } from './testing/steps.ts';

const parallelChecks = 2;
/** A process gives itself 10 s to stop. */
const stopTimeout = 15_000; // ms

/** Limit of `npm test`: 15 minutes of two idle cores. */
const BUDGET = 1_620; // core-seconds

/**
 * `npm test` runs every check, then every suite. `--checks` runs only the checks, `--all` also the suites of
 * `npm run test:all`, `--only NAME` one step. Prints the core-seconds of each step and a summary; exits with 1 when anything
 * failed.
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
    say(`There is no step "${values.only}". Choose one of: ${known.join(', ')}`);
    process.exit(1);
  }
  const chosen = (steps: Step[]) => steps.filter(({ name }) => !values.only || name === values.only);
  const wanted = values.all || values.only ? [...suites, ...soakSuites] : suites;
  const later = values.checks ? [] : wanted.map(chosen);
  await installPrograms(later.flat());
  const reports = await mkdtemp(join(tmpdir(), 'fixpoint-reports-'));
  const results: Result[] = [];
  const run = async (step: Step) => {
    if (stop.signal.aborted) return;
    results.push(await report(step, reports, stop.signal));
  };
  await eachOf(chosen(checks), parallelChecks, run);
  for (const group of later) await Promise.all(group.map(run));
  const leftOver = await endLeftOver(reports, stopTimeout);
  await rm(reports, { recursive: true });
  if (stop.signal.aborted) process.exit(130);
  if (leftOver.length > 0) results.push(failedFor(leftOver));
  finish(results);
}

async function installPrograms(steps: Step[]): Promise<void> {
  const wanted = Object.assign(
    {},
    ...steps.map(({ programs, optional }) => ({ ...optional, ...programs })),
  ) as Record<string, string>;
  if (!readSettings(givenEnv()).noInstall) await installMissing(wanted, say);
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
  // Printed at once, so that an interrupted run has said what failed.
  for (const line of describeTests(result.failedTests)) say(line);
  return result;
}

/** A failed step for processes that the run left behind. */
function failedFor(leftOver: Process[]): Result {
  const lines = leftOver.map(({ pid, command }) => `${pid} ${command}`);
  return {
    name: 'no process is left running',
    passed: 0,
    failed: 1,
    skipped: 0,
    skippedTests: [],
    seconds: 0,
    failedTests: [],
    output: `These processes still ran ${stopTimeout / 1000} s after the last step and were killed:\n${lines.join('\n')}`,
  };
}

/** Runs `work` for every step in order, up to `limit` at a time. */
async function eachOf(steps: Step[], limit: number, work: (step: Step) => Promise<void>): Promise<void> {
  const waiting = [...steps];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await work(step);
  };
  await Promise.all(Array.from({ length: limit }, worker));
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
  if (work > 0) say(`\n${work.toFixed(0)} core-seconds (limit of npm test: ${BUDGET})`);
  say(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  const nothing = sum('passed') + sum('skipped') === 0;
  process.exit(sum('failed') > 0 || nothing ? 1 : 0);
}

function say(line: string): void {
  console.log(line);
}

await main();
