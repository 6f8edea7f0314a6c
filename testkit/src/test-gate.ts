/** Whether `npm run test:all` runs everything; `npm test` and single files run a fixed selection. */
export const isFullRun = process.env.FIXPOINT_TEST_ALL === '1';

/**
 * Variants of one promise that differ in nothing that a customer would notice (languages, widths, kinds of machine).
 * @param few how many of them, from the first, `npm test` runs; `npm run test:all` runs all
 */
export const variants = <T>(all: readonly T[], few: number): readonly T[] =>
  isFullRun ? all : all.slice(0, few);
