/**
 * State of a place: every server there answers (`up`), some do (`disturbed`), none does (`down`), or nobody knows (`unknown`).
 */
export type PlaceState = 'up' | 'disturbed' | 'down' | 'unknown';

/**
 * What the reports of its servers say about a place. Who does not know does not say that it is down.
 * @param answering servers with a recent report
 * @param silent servers without one, planned silence apart
 * @param canJudge whether silence is the servers': after an outage of the shop's own it is not
 */
export function placeState(answering: number, silent: number, canJudge: boolean): PlaceState {
  if (silent === 0) return answering > 0 ? 'up' : 'unknown';
  if (!canJudge) return 'unknown';
  return answering > 0 ? 'disturbed' : 'down';
}
