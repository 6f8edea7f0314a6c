/** Consecutive unanswered calls after which the circuit opens. */
const UNANSWERED = 3;
/** A faster failure (no connection) does not block anybody and does not count. */
const SLOW_MS = 5_000;
/**
 * While the circuit is open, one call per interval probes the provider and the others fail at once.
 */
const REST_MS = 10_000;

/** Makes a call to a provider, or fails at once. */
export type CircuitBreaker = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Circuit breaker. Without it, pages and jobs would wait for a silent provider until their timeout
 * and occupy a queue shared with other providers. A call that is not made fails like one without an
 * answer: its result is unknown.
 * @param now monotonic clock in ms
 */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  let unanswered = 0;
  let askAt = 0;
  return async call => {
    const began = now();
    if (unanswered >= UNANSWERED) {
      if (began < askAt) throw new Error('The provider has not answered lately');
      askAt = began + REST_MS;
    }
    try {
      const answer = await call();
      unanswered = 0;
      return answer;
    } catch (error) {
      if (now() - began >= SLOW_MS) {
        unanswered += 1;
        askAt = now() + REST_MS;
      }
      throw error;
    }
  };
}
