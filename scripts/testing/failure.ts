import { join, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@fixpoint/dev-stack/env.ts';
import type { FailedTest } from './report.ts';

const maxMessageLines = 12;
const maxOutputLines = 60;

/** Name and beginning of the message of each failed test. */
export const describeTests = (failed: FailedTest[]): string[] =>
  failed.map(({ name, message }) => {
    const lines = stripVTControlCharacters(message).trim().split('\n').filter(isUseful);
    return [`✗ ${shortened(name)}`, ...lines.slice(0, maxMessageLines).map(line => `    ${line}`)].join('\n');
  });

/**
 * Report of a failed step: first its tests, because a log may be cut at the end, then the end of its output.
 */
export function describeFailure(step: string, failed: FailedTest[], output: string): string {
  const tests = describeTests(failed);
  const lines = stripVTControlCharacters(output).split('\n');
  const left = lines.length - maxOutputLines;
  const tail =
    left > 0 ? [`… ${left} earlier lines; print all with --only "${step}"`, ...lines.slice(left)] : lines;
  return [`──── ${step} ────`, ...tests, ...(tests.length > 0 ? ['──'] : []), ...tail].join('\n');
}

/** Leaves out stack frames of libraries and Node. */
const isUseful = (line: string) => line.trim() !== '' && !/^\s+at .*(node_modules|node:)/.test(line);

/** Removes the path of the checkout. */
export const shortened = (name: string): string => name.replace(join(root, sep), '');
