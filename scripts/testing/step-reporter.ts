import { renameSync, writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import type { FailedTest, Report } from './report.ts';

/** A hanging runner is killed: its results so far must be in the file. */
const EVERY_MS = 2000;

/**
 * Writes the results so far to Vitest's output file, periodically and at the end. Vitest's own JSON report is only written at
 * the end and lacks failed hooks inside a `describe`.
 */
// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter from the default export
export default class StepReporter implements Reporter {
  #vitest: Vitest | undefined;
  /** Names of running tests and files. */
  readonly #running = new Set<string>();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    setInterval(() => this.#write(), EVERY_MS).unref();
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#running.add(moduleId);
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#running.delete(moduleId);
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.add(nameOf(test));
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(nameOf(test));
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    // On a busy machine Vitest may report the end of a quick test before its beginning.
    this.#running.clear();
    this.#write(failures('the run', errors));
  }

  #write(runErrors: FailedTest[] = []): void {
    const file = this.#vitest?.config.outputFile;
    if (typeof file !== 'string') return;
    const modules = this.#vitest!.state.getTestModules();
    const tests = modules.flatMap(module => [...module.children.allTests()]);
    const suites = modules.flatMap(module => [...module.children.allSuites()]);
    const report: Report = {
      passed: tests.filter(test => test.result().state === 'passed').length,
      skippedTests: tests.flatMap(test => {
        const result = test.result();
        if (result.state !== 'skipped') return [];
        return [result.note ? `${nameOf(test)} (${result.note})` : nameOf(test)];
      }),
      failed: [
        ...tests.flatMap(test => failures(nameOf(test), test.result().errors)),
        ...suites.flatMap(suite => failures(aroundIn(suite), suite.errors())),
        ...modules.flatMap(module => failures(around(module), module.errors())),
        ...runErrors,
      ],
      running: [...this.#running],
    };
    // Atomic: a kill meanwhile leaves the previous report.
    const next = `${file}.next`;
    writeFileSync(next, JSON.stringify(report));
    renameSync(next, file);
  }
}

const nameOf = ({ module, fullName }: TestCase): string => `${module.moduleId} › ${fullName}`;

const aroundIn = ({ module, fullName }: TestSuite): string =>
  `${module.moduleId} › ${fullName} › before or after its tests`;

function around(module: TestModule): string {
  const loads = module.children.size > 0;
  return loads ? `${module.moduleId} › before or after its tests` : `${module.moduleId} does not load`;
}

const failures = (name: string, errors: readonly SerializedError[] = []): FailedTest[] =>
  errors.length === 0
    ? []
    : [{ name, message: errors.map(({ stack, message }) => stack || message).join('\n') }];
