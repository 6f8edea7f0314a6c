import { isDeepStrictEqual } from 'node:util';

/**
 * An answer is refreshed after one second; meanwhile the known one is served for up to five
 * seconds.
 */
const FRESH_MS = 1_000;
const USABLE_MS = 5_000;

/**
 * Caches answers that are the same for everybody, so that prices stay fast under load (S02) and
 * readable while the database is unreachable (S71). An equal answer stays the same object, so that
 * its bytes are made once (`http/public-answer.ts`).
 * @param most maximum number of cached questions; further ones are not cached
 */
export function createAnswerCache<T>(most = 100): (question: string, ask: () => Promise<T>) => Promise<T> {
  const answers = new Map<string, { answer: T; at: number }>();
  const asking = new Map<string, Promise<T>>();

  async function askAgain(question: string, ask: () => Promise<T>): Promise<T> {
    const known = answers.get(question);
    try {
      const asked = await ask();
      const answer = known && isDeepStrictEqual(asked, known.answer) ? known.answer : asked;
      if (known || answers.size < most) answers.set(question, { answer, at: performance.now() });
      return answer;
    } catch (error) {
      if (!known) throw error;
      return known.answer;
    } finally {
      asking.delete(question);
    }
  }

  return async (question, ask) => {
    const known = answers.get(question);
    const age = known ? performance.now() - known.at : Number.POSITIVE_INFINITY;
    if (known && age < FRESH_MS) return known.answer;
    const coming = asking.get(question) ?? askAgain(question, ask);
    asking.set(question, coming);
    return known && age < USABLE_MS ? known.answer : coming;
  };
}
