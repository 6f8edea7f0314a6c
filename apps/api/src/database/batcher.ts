type Waiting<Asked, Answer> = {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/** Whoever comes while others are being answered waits so long for the end of it, in ms: a connection may hang. */
const PATIENCE_MS = 250;

/**
 * Asks one question for all who come at the same time: the first asks at once and alone, those who come meanwhile are asked
 * for together as soon as he has his answer. Nobody gets an answer to a question that was sent before he came. A statement of
 * its own for each costs more by way and waking than by what it does.
 * @param askAll answers in the order of what was asked; what it throws, all of them hear
 */
export function together<Asked, Answer>(
  askAll: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];
  /** Ends the wait for those who are being asked for; undefined while there are none. */
  let goOn: (() => void) | undefined;
  let late: NodeJS.Timeout | undefined;

  async function answer(some: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await askAll(some.map(({ asked }) => asked));
      for (const [index, { resolve }] of some.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function next(): void {
    clearTimeout(late);
    late = undefined;
    const some = waiting;
    waiting = [];
    const over = () => {
      if (goOn === over) next();
    };
    goOn = some.length > 0 ? over : undefined;
    if (goOn) void answer(some).then(goOn);
  }

  return asked =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (goOn) late ??= setTimeout(goOn, PATIENCE_MS);
      else next();
    });
}
