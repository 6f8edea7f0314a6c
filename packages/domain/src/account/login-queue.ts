/** Waiting password comparisons of unknown browsers above which a proof of work is required, or all are refused. */
const QUEUE_LIMITS = { proof: 30, full: 300 };

/**
 * What a login of an unknown browser needs before its password is compared: each comparison takes a core for a while, and
 * anybody can request one.
 * @param waiting comparisons of unknown browsers in the queue
 */
export function loginQueueNeeds(waiting: number, proved: boolean): 'nothing' | 'proof' | 'retryLater' {
  if (waiting >= QUEUE_LIMITS.full) return 'retryLater';
  return waiting >= QUEUE_LIMITS.proof && !proved ? 'proof' : 'nothing';
}
