import { readFile } from 'node:fs/promises';

export interface FailedTest {
  name: string;
  /** Complete message of the runner, without colours. */
  message: string;
}

/** Results of a test run so far. */
export interface Report {
  passed: number;
  /** Names, with the reason where there is one. */
  skippedTests: string[];
  failed: FailedTest[];
  /** Tests and files that have not finished: where a killed runner hung. */
  running: string[];
}

/** Undefined when there is no readable report: the runner crashed. */
export async function readReport(kind: 'vitest' | 'playwright', file: string): Promise<Report | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (!text) return undefined;
  // For Vitest, `step-reporter.ts` writes this format.
  return kind === 'playwright' ? readPlaywright(JSON.parse(text)) : JSON.parse(text);
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
    running: [],
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
