/** Most units of work that a call costs: about half a minute on an old phone. */
const MOST_WORK = 8;

/**
 * Units of work that a call beyond its limit costs. The price doubles with each further `most` calls
 * that were paid for, so that neighbours behind one address pay little and a machine pays much.
 * @param proved calls beyond the limit that carried a proof
 * @param most the limit
 */
export const workBeyond = (proved: number, most: number): number =>
  Math.min(MOST_WORK, 2 ** Math.floor(proved / Math.max(1, most)));
