import { readFile } from 'node:fs/promises';

export interface FailedTest {
  name: string;
  /** What the runner says of it, without colours; not cut. */
  message: string;
}

/** What a test runner wrote into its JSON report. */
export interface Report {
  passed: number;
  /** Their names, which say why. */
  skippedTests: string[];
  failed: FailedTest[];
}

/** Undefined when there is no readable report: the runner crashed. */
export async function readReport(kind: 'vitest' | 'playwright', file: string): Promise<Report | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (!text) return undefined;
  if (kind === 'playwright') return readPlaywright(JSON.parse(text));
  const hooks = await readFile(hooksFile(file), 'utf8').catch(() => '[]');
  return readVitest(JSON.parse(text), JSON.parse(hooks));
}

/** Where `hooks-reporter.ts` writes what belongs to a report of Vitest. */
export const hooksFile = (report: string): string => `${report}.hooks`;

interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
  }[];
}

/** What Vitest calls a test that it has not run. */
const notRun = ['skipped', 'pending', 'todo'];

function readVitest(report: VitestReport, hooks: FailedTest[]): Report {
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults
      .filter(test => test.status === 'failed')
      .map(test => ({
        name: `${name} › ${test.fullName.trim()}`,
        message: (test.failureMessages ?? []).join('\n'),
      }));
    if (status !== 'failed' || tests.length > 0) return tests;
    // No test failed, but what stands around them.
    const around = hooks.filter(hook => hook.name.startsWith(`${name} ›`));
    if (around.length > 0) return around;
    const what = assertionResults.length === 0 ? 'does not load' : '› before or after its tests';
    return [{ name: `${name} ${what}`, message: message ?? '' }];
  });
  const skippedTests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => notRun.includes(status))
      .map(({ fullName }) => `${name} › ${fullName.trim()}`),
  );
  return { passed: report.numPassedTests, skippedTests, failed };
}

interface PlaywrightSuite {
  specs?: {
    title: string;
    file: string;
    line: number;
    tests: {
      status: string;
      annotations?: { type: string; description?: string }[];
      results: { errors?: { message?: string }[] }[];
    }[];
  }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number };
  errors?: { message?: string }[];
}

function readPlaywright(report: PlaywrightReport): Report {
  const general = (report.errors ?? []).map(({ message }) => ({ name: 'the run', message: message ?? '' }));
  return {
    passed: report.stats.expected,
    skippedTests: skippedSpecs(report),
    failed: [...failedSpecs(report), ...general],
  };
}

function failedSpecs({ specs = [], suites = [] }: PlaywrightSuite): FailedTest[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({
        name: `${file}:${line} › ${title}`,
        message: (results.at(-1)?.errors ?? []).map(({ message }) => message ?? '').join('\n'),
      })),
  );
  return [...own, ...suites.flatMap(failedSpecs)];
}

function skippedSpecs({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations = [] }) => {
        const reason = annotations.find(({ type }) => type === 'skip')?.description;
        return `${file}:${line} › ${title}${reason ? ` (${reason})` : ''}`;
      }),
  );
  return [...own, ...suites.flatMap(skippedSpecs)];
}
