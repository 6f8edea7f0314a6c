import { join, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';
import type { FailedTest } from './report.ts';

const linesOfMessage = 12;
const linesOfOutput = 60;

/** Which tests failed and why, in a few lines each. */
export const describeTests = (failed: FailedTest[]): string[] =>
  failed.map(({ name, message }) => {
    const lines = stripVTControlCharacters(message).trim().split('\n').filter(isUseful);
    return [`✗ ${shortened(name)}`, ...lines.slice(0, linesOfMessage).map(line => `    ${line}`)].join('\n');
  });

/**
 * What is said of a failed step: first its tests, since a log is often kept only from its beginning; then the end of what
 * the step printed.
 */
export function describeFailure(step: string, failed: FailedTest[], output: string): string {
  const tests = describeTests(failed);
  const lines = stripVTControlCharacters(output).split('\n');
  const left = lines.length - linesOfOutput;
  const tail = left > 0 ? [`… ${left} lines before; all with --only "${step}"`, ...lines.slice(left)] : lines;
  return [`──── ${step} ────`, ...tests, ...(tests.length > 0 ? ['──'] : []), ...tail].join('\n');
}

/** Calls inside the libraries tell nothing. */
const isUseful = (line: string) => line.trim() !== '' && !/^\s+at .*(node_modules|node:)/.test(line);

/** A file is named below the checkout. */
export const shortened = (name: string): string => name.replace(join(root, sep), '');
