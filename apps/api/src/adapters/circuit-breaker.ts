/** So many calls without an answer in a row: the provider is silent. */
const UNANSWERED = 3;
/** What fails sooner (no connection) has kept nobody waiting. */
const SLOW_MS = 5_000;
/** While it is silent one call in so long asks whether it answers again, and the others fail at once. */
const REST_MS = 10_000;

/** Makes a call to a provider, or fails at once. */
export type CircuitBreaker = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * What waits for a silent provider waits for the whole time-out: a page, and each job about it, until those about other
 * providers have no place left in the queue that they share. So its silence is remembered; a call that is not made
 * fails like one that was not answered, and is known as little.
 * @param now ms of a clock that only goes on
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
