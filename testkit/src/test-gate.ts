/** `npm test` and single files: what is promised, the same each time. `npm run test:all` sets `FIXPOINT_TEST_ALL`: everything. */
export const isFullRun = process.env.FIXPOINT_TEST_ALL === '1';

/**
 * Variants of one promise that differ in nothing a customer would notice (languages, widths, kinds of machine).
 *
 * @param few how many of them, from the first, `npm test` tries; `npm run test:all` tries all
 */
export const variants = <T>(all: readonly T[], few: number): readonly T[] =>
  isFullRun ? all : all.slice(0, few);
