import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basicEnv, root } from '../env.ts';
import type { Step } from './steps.ts';

const usualLimit = 15 * 60_000; // ms

/** What came out of a step. `output` is what it printed. */
export interface Result {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  output: string;
}

/** Runs one step to its end; never throws for what the step does. Ends with `signal`. */
export async function runStep(step: Step, reports: string, signal: AbortSignal): Promise<Result> {
  const since = performance.now();
  const report = join(reports, `${step.name.replaceAll(' ', '-')}.json`);
  const { code, output } = await execute(step, report, signal);
  const counted = step.counts === 'exit' ? undefined : await readReport(step.counts, report);
  const counts = counted ?? { passed: code === 0 && step.counts === 'exit' ? 1 : 0, failed: 0, skipped: 0 };
  // A runner that ends badly without a failed test (no tests, a crash, an unhandled error) has failed.
  if (counts.failed === 0 && (code !== 0 || (step.counts !== 'exit' && !counted))) counts.failed = 1;
  return { name: step.name, ...counts, seconds: (performance.now() - since) / 1000, output };
}

/** A step that this machine cannot run: each of its test files counts as skipped. */
export function skipped(step: Step): Result {
  const ending = step.files ?? '';
  const files = ['packages', 'apps', 'scripts', 'e2e'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      path => path.endsWith(ending) && !path.includes('node_modules'),
    ),
  );
  return {
    name: step.name,
    passed: 0,
    failed: 0,
    skipped: Math.max(files.length, 1),
    seconds: 0,
    output: '',
  };
}

function execute(step: Step, report: string, signal: AbortSignal): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [...step.command, ...reporters(step, report)], {
    cwd: root,
    env: { ...basicEnv(), PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a hanging runner is ended with all that it started.
    detached: true,
  });
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
      // It is gone already.
    }
  };
  const stop = () => kill('SIGTERM');
  const timer = setTimeout(() => {
    output += `\n${step.name} hangs: ended after ${(step.limit ?? usualLimit) / 1000} s\n`;
    kill('SIGKILL');
  }, step.limit ?? usualLimit);
  signal.addEventListener('abort', stop, { once: true });
  return new Promise(resolve => {
    const end = (code: number) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ code, output: output.trim() });
    };
    child.once('error', error => {
      output += error.message;
      end(1);
    });
    child.once('close', code => end(code ?? 1));
  });
}

function reporters({ counts }: Step, report: string): string[] {
  if (counts === 'vitest') return ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return counts === 'playwright' ? ['--reporter=list,json'] : [];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** Undefined when there is no readable report: the runner crashed. */
async function readReport(
  kind: 'vitest' | 'playwright',
  file: string,
): Promise<{ passed: number; failed: number; skipped: number } | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (!text) return undefined;
  if (kind === 'playwright') {
    const { stats } = JSON.parse(text) as PlaywrightReport;
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  }
  const report = JSON.parse(text) as VitestReport;
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
