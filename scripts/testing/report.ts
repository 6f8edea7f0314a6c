import { readFile } from 'node:fs/promises';

export interface FailedTest {
  name: string;
  /** What the runner says of it, without colours; not cut. */
  message: string;
}

/** What a test runner has found, as far as it has come. */
export interface Report {
  passed: number;
  /** Their names, which say why. */
  skippedTests: string[];
  failed: FailedTest[];
  /** Tests and files that have begun and not ended: of one that was killed, what it hung in. */
  underWay: string[];
}

/** Undefined when there is no readable report: the runner crashed. */
export async function readReport(kind: 'vitest' | 'playwright', file: string): Promise<Report | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (!text) return undefined;
  // Vitest's is `step-reporter.ts`, which writes it so.
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
    underWay: [],
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
