import { LONGEST_WAIT } from '@fixpoint/domain/account/try-limit.ts';
import { type Refusal, refuse, wantProof } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { Limits, TryCounter } from '../../ports/limits.ts';
import type { Passwords } from './passwords.ts';

/**
 * Claims the next try at a secret. Refuses it while it must wait or needs a proof of work (S13).
 * @param lines groups of counters; a try that must wait in one group may be claimed in the next
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

/** Counter of wrong secrets of a logged-in customer. */
export const ownSecretCounter = (customerId: string): string => `tries confirm:${customerId}`;

/** Rate-limits a try at a secret within a session: like a login, but without a proof of work. */
export async function tryOwnSecret(
  limits: Limits,
  customerId: string,
  compare: () => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const name = ownSecretCounter(customerId);
  const refused =
    (await claimTry(limits, [[{ name, longest: LONGEST_WAIT.account }]], true)) ?? (await compare());
  if (!refused) await limits.forget(name);
  return refused;
}

/** Compares the password of a logged-in customer; 8006 when it is wrong. */
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
