import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** @returns a Vitest sequencer that runs files in this order instead of by failures and duration */
export function inOrderOf(files: readonly string[]) {
  const rank = ({ moduleId }: TestSpecification) =>
    files.findIndex(file => basename(file) === basename(moduleId));
  return class InOrder extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return specifications.toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
