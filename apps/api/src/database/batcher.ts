type Waiting<Asked, Answer> = {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/** Time that callers wait for a running batch, in ms, because its connection may hang. */
const TIMEOUT_MS = 250;

/**
 * Coalesces concurrent lookups. The first caller runs immediately; callers that arrive meanwhile
 * are batched into the next query. Nobody gets an answer to a query that was sent before they
 * asked.
 * @param askAll answers in the order of the lookups; its error rejects all of them
 */
export function createBatcher<Asked, Answer>(
  askAll: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];
  /** Starts the next batch; undefined while none is running. */
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
      if (goOn) late ??= setTimeout(goOn, TIMEOUT_MS);
      else next();
    });
}
