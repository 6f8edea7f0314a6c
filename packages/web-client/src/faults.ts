import type { FieldErrors } from '@fixpoint/contract/envelope.ts';
import { Fault, retry } from '@fixpoint/ui/lib/fault.ts';

export { Fault };

/** The server answered with an error; `code` is one of the catalogue. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  /** Details of the error: wrong fields, a demanded human check or step-up. */
  readonly data: Record<string, unknown>;
  /** Seconds until a retry makes sense, if the server said so. */
  readonly retryAfter: number | undefined;
  /** The client has shown it as a snack already. */
  reported = false;
  /** When the answer arrived, ms; `retryAfter` counts from here. */
  readonly since = Date.now();

  constructor(code: string, status: number, data: Record<string, unknown> = {}, retryAfter?: number) {
    super(`refused with ${code}`);
    this.code = code;
    this.status = status;
    this.data = data;
    this.retryAfter = retryAfter;
  }

  /** Field name → key of the text to show beside it (codes 7004 and 7000). */
  get fields(): Record<string, string> {
    return (this.data as Partial<FieldErrors>).fields ?? {};
  }
}

/** The user cancelled a dialog of the call. Not an error; nothing is shown. */
export class Cancelled extends Error {}

/** Whether a retry may help: no answer, or an error that the server expects to pass. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Fault || (error instanceof Refusal && error.status >= 500 && error.status !== 501);

/**
 * Whether the server refused for good: any 4xx but a rate limit, and any code but success under
 * HTTP 200. Such an answer about session, profile or the shop itself ends the session.
 */
export const isDefinite = (error: unknown): boolean =>
  error instanceof Refusal && error.status < 500 && error.status !== 429;

/** Code of the text that explains any error; 9901 means that the server was not reached. */
export function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  return error instanceof Fault ? '9901' : '9900';
}

/** Repeats a task that is safe to run twice, after transient faults only. */
export const withBackOff = <T>(task: () => Promise<T>): Promise<T> => retry(task, isTransient);
