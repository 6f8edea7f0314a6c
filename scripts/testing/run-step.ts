import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { basicEnv, givenEnv, root } from '@fixpoint/dev-stack/env.ts';
import { RUN } from './left-over.ts';
import { type FailedTest, readReport } from './report.ts';
import type { Step } from './steps.ts';
import { countWork } from './work.ts';

const stepReporter = join(root, 'scripts/testing/step-reporter.ts');
/** Many times the duration of the longest step, so that only a hanging step reaches it. */
const defaultLimit = 80 * 60_000; // ms

/** Result of a step. */
export interface Result {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
  /** Each skipped test or file, with its reason where there is one. */
  skippedTests: string[];
  seconds: number;
  /** User and system time of the step's processes in s; undefined where the machine cannot count it. */
  coreSeconds?: number | undefined;
  /** Failed tests that the runner reported. */
  failedTests: FailedTest[];
  output: string;
}

/**
 * Runs a step; `signal` stops it. A failing step is a result, not an exception.
 * @param reports folder for the reports of the run, whose path also marks its processes
 */
export async function runStep(step: Step, reports: string, signal: AbortSignal): Promise<Result> {
  const since = performance.now();
  const report = join(reports, `${step.name.replaceAll(' ', '-')}.json`);
  const { code, output, coreSeconds } = await execute(step, report, { run: reports, signal });
  const read = step.counts === 'exit' ? undefined : await readReport(step.counts, report);
  const hung = (read?.running ?? []).map(name => ({
    name,
    message: 'was still running when the step ended',
  }));
  const failedTests = [...(read?.failed ?? []), ...hung];
  // A runner that exits with an error without a failed test, or that ran no test, has failed too.
  const ranNothing =
    step.counts !== 'exit' && !(read && read.passed + read.skippedTests.length + failedTests.length > 0);
  const exitedBadly = code !== 0 || ranNothing;
  return {
    name: step.name,
    passed: read?.passed ?? (exitedBadly ? 0 : 1),
    failed: Math.max(failedTests.length, exitedBadly ? 1 : 0),
    skipped: read?.skippedTests.length ?? 0,
    skippedTests: read?.skippedTests ?? [],
    seconds: (performance.now() - since) / 1000,
    coreSeconds,
    failedTests,
    output,
  };
}

/** Result of a step that this machine cannot run: each of its test files counts as skipped. */
export function skipped(step: Step, reason: string): Result {
  const ending = step.files ?? '';
  const files = ['packages', 'testkit', 'apps', 'scripts', 'e2e', 'bench'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      path => path.endsWith(ending) && !path.includes('node_modules'),
    ),
  );
  return {
    name: step.name,
    passed: 0,
    failed: 0,
    skipped: Math.max(files.length, 1),
    skippedTests: [`${step.name}: ${reason} (${files.length} test files)`],
    seconds: 0,
    failedTests: [],
    output: '',
  };
}

const chosen = (settings: string[] = []): Record<string, string> =>
  Object.fromEntries(Object.entries(givenEnv()).filter(([name]) => settings.includes(name)));

function execute(
  step: Step,
  report: string,
  { run, signal }: { run: string; signal: AbortSignal },
): Promise<{ code: number; output: string; coreSeconds: number | undefined }> {
  const child = spawn(process.execPath, [...step.command, ...reporters(step, report)], {
    cwd: root,
    env: {
      ...basicEnv(),
      ...chosen(step.settings),
      [RUN]: run,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that a hanging runner is killed with its children.
    detached: true,
  });
  const work = countWork(step.name);
  if (child.pid) work.count(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const kill = (how: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, how);
    } catch {
      // The process has exited already.
    }
  };
  const stop = () => kill('SIGTERM');
  const timer = setTimeout(() => {
    output += `\n${step.name} hangs: killed after ${(step.limit ?? defaultLimit) / 1000} s\n`;
    kill('SIGKILL');
  }, step.limit ?? defaultLimit);
  signal.addEventListener('abort', stop, { once: true });
  return new Promise(resolve => {
    const end = (code: number) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ code, output: output.trim(), coreSeconds: work.end() });
    };
    child.once('error', error => {
      output += error.message;
      end(1);
    });
    child.once('close', code => end(code ?? 1));
  });
}

function reporters({ counts }: Step, report: string): string[] {
  if (counts === 'vitest')
    return ['--reporter=default', `--reporter=${stepReporter}`, `--outputFile=${report}`];
  return counts === 'playwright' ? ['--reporter=list,json'] : [];
}
