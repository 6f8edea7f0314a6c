import { setTimeout as delay } from 'node:timers/promises';
import { errors } from '@fixpoint/contract/errors.ts';
import { IDEMPOTENCY_KEY, KEY_USED } from '@fixpoint/contract/idempotency.ts';
import { isRefusal, type Refusal, refuseFields } from '../kernel/refusal.ts';
import type { IdempotencyRecords } from '../ports/idempotency-records.ts';

/** Does what is asked for, or says what the same was answered before. */
export type Idempotency = (asked: Asked, work: () => Promise<object>) => Promise<object>;

type Asked = {
  /** Module and name of the call. */
  call: string;
  /** Of the header; without one everything is done as it is asked for. */
  key: string | undefined;
  customerId: string | undefined;
  /** As its schema has parsed it, which also puts its members in order. */
  body: unknown;
};

/** Looks again after so many ms, the last again and again; shorter together than a page waits for its answer. */
const LOOKS = [50, 100, 200, 400];
const PATIENCE_MS = 20_000;

/** What may be another one a moment later — a limit, a session, a confirmation — is no answer. */
const isFinal = (result: object): boolean =>
  !isRefusal(result) || (errors[result.refusal].status === 400 && result.retryAfterSeconds === undefined);

/**
 * The same call under the same `Idempotency-Key` is done once: who repeats it gets the stored answer, who comes while it is
 * being done waits for that, and another body is refused (S36). A fault leaves the name to whoever asks for the same again.
 */
export const createIdempotency =
  (answers: IdempotencyRecords): Idempotency =>
  async ({ call, key, customerId, body }, work) => {
    // A proof of work is asked for along the way and is not what is wanted.
    const { humanCheck: _, ...wanted } = body as { humanCheck?: string; metadata?: string };
    const who = customerId ?? wanted.metadata;
    if (key === undefined || who === undefined) return work();
    const name = JSON.stringify([who, key]);
    const asked = JSON.stringify([call, wanted]);
    const end = performance.now() + PATIENCE_MS;
    for (let look = 0; ; look++) {
      const claim = await answers.claim(name, asked);
      if (claim.kind === 'answer') return JSON.parse(claim.answer) as object;
      if (claim.kind === 'other') return refuseFields({ [IDEMPOTENCY_KEY]: KEY_USED });
      if (claim.kind === 'mine') {
        let kept = false;
        try {
          const result = await work();
          if (isFinal(result)) {
            await claim.keep(JSON.stringify(result));
            kept = true;
          }
          return result;
        } finally {
          if (!kept) await claim.release();
        }
      }
      if (performance.now() > end) return stillBusy;
      await delay(LOOKS[Math.min(look, LOOKS.length - 1)]);
    }
  };

const stillBusy: Refusal = { refusal: 'tooManyRequests', retryAfterSeconds: 5 };
