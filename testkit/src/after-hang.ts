import { afterEach, beforeEach } from 'vitest';

/**
 * The tests of a file share a shop or a region. When one test hangs, every later test that needs the same thing hangs too.
 * This file skips them, because together they exceed the suite's time limit.
 */
let hung: string | undefined;
/** Messages of Vitest and of `until` about a timeout. */
const HANGS = /timed out|within \d+ ms/;

beforeEach(({ skip }) => skip(hung !== undefined, `"${hung}" of this file hung`));

afterEach(({ task }) => {
  if (task.result?.errors?.some(({ message }) => HANGS.test(message))) hung = task.name;
});
