import { LONGEST_WAIT } from '@fixpoint/domain/account/try-limit.ts';
import { type Refusal, refuse, wantProof } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { Limits, TryCounter } from '../../ports/limits.ts';
import type { Passwords } from './passwords.ts';

/**
 * Takes the next try at a secret; refused while it has to wait or wants a proof of work (S13).
 * @param lines each the counters of one line; who has to wait in the first may still be served in the next
 */
export async function claimTry(
  limits: Limits,
  lines: readonly (readonly TryCounter[])[],
  proved: boolean,
): Promise<Refusal | undefined> {
  let wait = Number.POSITIVE_INFINITY;
  for (const counters of lines) {
    const claim = await limits.claimTry(counters, proved);
    if (claim === 'taken') return undefined;
    if (claim === 'proofWanted') return wantProof();
    wait = Math.min(wait, claim.wait);
  }
  return { refusal: 'tooManyRequests', retryAfterSeconds: wait };
}

/**
 * Tries at the secrets of somebody who is logged in: they wait like those of a login, but want no proof of work, since
 * whoever comes here has a session already.
 */
export async function tryOwnSecret(
  limits: Limits,
  customerId: string,
  compare: () => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const name = `tries confirm:${customerId}`;
  const refused =
    (await claimTry(limits, [[{ name, longest: LONGEST_WAIT.account }]], true)) ?? (await compare());
  if (!refused) await limits.forget(name);
  return refused;
}

/** Compares the password of somebody who is logged in; 8006 when it is wrong. */
export const checkOwnPassword = (
  { db, limits, passwords }: { db: Db; limits: Limits; passwords: Passwords },
  customerId: string,
  given: string,
): Promise<Refusal | undefined> =>
  tryOwnSecret(limits, customerId, async () => {
    const { password_hash: current } = await db
      .selectFrom('customer')
      .select('password_hash')
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow();
    return (await passwords.verify(current, given)) ? undefined : refuse('passwordWrong');
  });
