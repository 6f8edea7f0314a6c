import { afterEach, beforeEach } from 'vitest';

/**
 * Tests of a file share a shop or a region. When one hangs, so does each that needs what it was waiting for: all together they
 * would take longer than their suite may.
 */
let hung: string | undefined;
/** What Vitest, and what whoever waits here says of what did not come in time. */
const HANGS = /timed out|within \d+ ms/;

beforeEach(({ skip }) => skip(hung !== undefined, `"${hung}" of this file hung`));

afterEach(({ task }) => {
  if (task.result?.errors?.some(({ message }) => HANGS.test(message))) hung = task.name;
});
