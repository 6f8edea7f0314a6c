import type { FieldErrors } from '@fixpoint/contract/envelope.ts';
import { Fault, retry } from '@fixpoint/ui/lib/fault.ts';

export { Fault };

/** The server answered, and refused: `code` is of the catalogue. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  /** What the answer says beside its code: wrong fields, what else is wanted. */
  readonly data: Record<string, unknown>;
  /** Seconds until it is worth trying again, where the server said so. */
  readonly retryAfter: number | undefined;
  /** When it was refused, ms: the server's seconds count from here. */
  readonly since = Date.now();

  constructor(code: string, status: number, data: Record<string, unknown> = {}, retryAfter?: number) {
    super(`refused with ${code}`);
    this.code = code;
    this.status = status;
    this.data = data;
    this.retryAfter = retryAfter;
  }

  /** Which field, and the key of the text to show beside it (codes 7004 and 7000). */
  get fields(): Record<string, string> {
    return (this.data as Partial<FieldErrors>).fields ?? {};
  }
}

/** The person turned back from what was asked of them: nothing is wrong and nothing to be shown. */
export class Cancelled extends Error {}

/** Worth asking again later: no answer, or one that speaks of a passing state of the server. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Fault || (error instanceof Refusal && error.status >= 500 && error.status !== 501);

/** Code of the text that explains any error; 9901 says that we could not be reached. */
export function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  return error instanceof Fault ? '9901' : '9900';
}

/** Repeats a task that may safely run twice, after passing faults only. */
export const withBackOff = <T>(task: () => Promise<T>): Promise<T> => retry(task, isPassing);
