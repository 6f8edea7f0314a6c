import { setTimeout as delay } from 'node:timers/promises';
import { errors } from '@fixpoint/contract/errors.ts';
import { IDEMPOTENCY_KEY, KEY_USED } from '@fixpoint/contract/idempotency.ts';
import type { Caller } from '../kernel/caller.ts';
import { isRefusal, type Refusal, refuseFields } from '../kernel/refusal.ts';
import type { IdempotencyRecords } from '../ports/idempotency-records.ts';

/** Executes a call, or returns its first answer. */
export type Idempotency = (asked: Asked, work: () => Promise<object>) => Promise<object>;

type Asked = {
  /** Module and name of the call. */
  call: string;
  /** Value of the header; without one the call is always executed. */
  key: string | undefined;
  caller: Pick<Caller, 'userId' | 'customerId'>;
  /** Body after parsing, which also sorts its members. */
  body: unknown;
};

/** Intervals between checks of a running call, in ms; the last one repeats. */
const CHECK_INTERVALS = [50, 100, 200, 400];
/** Total wait, shorter than a page waits for its answer. */
const TIMEOUT_MS = 20_000;

/** Transient answers (limit, session, confirmation) are not stored. */
const isFinal = (result: object): boolean =>
  !isRefusal(result) || (errors[result.refusal].status === 400 && result.retryAfterSeconds === undefined);

/**
 * Executes a call once per `Idempotency-Key`: a repeat gets the stored answer, a concurrent call
 * waits for it, and another body is refused (S36). After a fault the key is free for another try.
 */
export const createIdempotency =
  (answers: IdempotencyRecords): Idempotency =>
  async ({ call, key, caller, body }, work) => {
    // The proof of work may differ in a repeat and is not part of the request.
    const { humanCheck: _, ...wanted } = body as { humanCheck?: string; metadata?: string };
    const { userId, customerId } = caller;
    const who = customerId ?? wanted.metadata;
    if (key === undefined || who === undefined) return work();
    // A founder's keep the name that they had before there were other users.
    const name = JSON.stringify(userId === customerId ? [who, key] : [who, key, userId]);
    const asked = JSON.stringify([call, wanted]);
    const end = performance.now() + TIMEOUT_MS;
    for (let look = 0; ; look++) {
      const claim = await answers.claim(name, asked);
      if (claim.kind === 'answer') return JSON.parse(claim.answer) as object;
      if (claim.kind === 'other') return refuseFields({ [IDEMPOTENCY_KEY]: KEY_USED });
      if (claim.kind === 'mine') {
        let stored = false;
        try {
          const result = await work();
          if (isFinal(result)) {
            await claim.store(JSON.stringify(result));
            stored = true;
          }
          return result;
        } finally {
          if (!stored) await claim.release();
        }
      }
      if (performance.now() > end) return stillBusy;
      await delay(CHECK_INTERVALS[Math.min(look, CHECK_INTERVALS.length - 1)]);
    }
  };

const stillBusy: Refusal = { refusal: 'tooManyRequests', retryAfterSeconds: 5 };
