import { writeFile } from 'node:fs/promises';
import type { Reporter, TestSuite, Vitest } from 'vitest/node';
import { type FailedTest, hooksFile } from './report.ts';

/**
 * What Vitest's JSON report leaves out: a hook that failed inside a `describe`. Its tests are only called skipped there. Written
 * beside that report.
 */
// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter from the default export
export default class HooksReporter implements Reporter {
  #failed: FailedTest[] = [];
  #report: string | undefined;

  onInit({ config }: Vitest): void {
    this.#report = typeof config.outputFile === 'object' ? config.outputFile.json : config.outputFile;
  }

  onTestSuiteResult(suite: TestSuite): void {
    const name = `${suite.module.moduleId} › ${suite.fullName} › before or after its tests`;
    for (const { message } of suite.errors()) this.#failed.push({ name, message });
  }

  async onTestRunEnd(): Promise<void> {
    if (this.#report) await writeFile(hooksFile(this.#report), JSON.stringify(this.#failed));
  }
}
