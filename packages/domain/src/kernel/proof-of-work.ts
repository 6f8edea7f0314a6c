/** Most units of work that a call costs: about half a minute on an old phone. */
const MOST_WORK = 8;

/**
 * Units of work that a call or try beyond its limit costs. The price doubles with each further `step`
 * of them, so that neighbours behind one address pay little and a machine pays much.
 * @param beyond those beyond the limit that were admitted
 */
export const workBeyond = (beyond: number, step: number): number =>
  Math.min(MOST_WORK, 2 ** Math.floor(beyond / Math.max(1, step)));
