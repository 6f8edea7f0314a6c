/**
 * Repeats the last good answer to a question while the database cannot be asked (S71): prices can still be read then,
 * although nothing can be bought.
 * @param most questions remembered; those that come later are only passed on
 */
export function keepAnswering<T>(most = 100): (question: string, ask: () => Promise<T>) => Promise<T> {
  const answers = new Map<string, T>();
  return async (question, ask) => {
    try {
      const answer = await ask();
      if (answers.has(question) || answers.size < most) answers.set(question, answer);
      return answer;
    } catch (error) {
      const known = answers.get(question);
      if (known === undefined) throw error;
      return known;
    }
  };
}
