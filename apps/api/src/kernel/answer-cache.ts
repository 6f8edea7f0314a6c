import { isDeepStrictEqual } from 'node:util';

/** An answer is asked for again after a second; until it has come, the known one serves, for five seconds at most. */
const FRESH_MS = 1_000;
const USABLE_MS = 5_000;

/**
 * Answers from memory what everybody asks, so that prices stay quick while hundreds of others wait for the database
 * (S02). While it cannot be asked the last good answer is repeated (S71): prices can still be read then, although
 * nothing can be bought. An answer that says the same as the one before is the same object: its bytes are made once
 * (`http/public-answer.ts`).
 * @param most questions remembered; those that come later are only passed on
 */
export function keepAnswering<T>(most = 100): (question: string, ask: () => Promise<T>) => Promise<T> {
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
