import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** @returns a sequencer of Vitest that runs files in this order, instead of what failed or took long first */
export function inOrderOf(files: readonly string[]) {
  const rank = ({ moduleId }: TestSpecification) =>
    files.findIndex(file => basename(file) === basename(moduleId));
  return class InOrder extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return specifications.toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
