import { newCorrelation } from '../../crypto/secrets.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { AccountDeps } from './account.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { consumeLink, readLink } from './links.ts';
import { lockOwner } from './lock-owner.ts';
import { refuseCommon } from './passwords.ts';
import { ofUser } from './sessions.ts';

/** Refuses a common password, including the shop's name and the customer's address (S01). */
export async function refuseCommonOf(
  { db, brandName }: { db: Db; brandName: string },
  customerId: string,
  password: string,
): Promise<Refusal | undefined> {
  const { email } = await db
    .selectFrom('customer')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return refuseCommon(password, [brandName, email]);
}

/** Sets the first password with the token of an emailed link, and consumes it. */
export async function setFirstPassword(
  deps: AccountDeps,
  linkToken: string,
  password: string,
): Promise<Refusal | Record<string, never>> {
  const { db, clock } = deps;
  const link = await readLink(db, clock, linkToken);
  const refused = link ? await refuseCommon(password, [deps.brandName, link.email]) : refuse('tokenInvalid');
  if (refused) return refused;
  const passwordHash = await deps.passwords.hash(password);
  return db.transaction().execute(async tx => {
    const owner = await lockOwner(tx, link!.customerId);
    if (!owner || !(await consumeLink(tx, clock, linkToken))) return refuse('tokenInvalid');
    await setPassword(deps, tx, owner.id, passwordHash);
    return {};
  });
}

/**
 * Sets a hashed password, ends all sessions and sockets of the customer and emails them (S11). Invalidates other codes,
 * grants and links, so that somebody who read the mailbox cannot set the next password. Logs nobody in.
 */
export async function setPassword(
  { clock, jobs, live }: { clock: Clock; jobs: Jobs; live: LiveBus },
  tx: Db,
  customerId: string,
  passwordHash: string,
): Promise<void> {
  await tx
    .updateTable('customer')
    .set({ password_hash: passwordHash })
    .where('id', '=', customerId)
    .execute();
  await endEmailedSecrets(tx, customerId, clock.now());
  await endUserSessions({ clock, live }, tx, customerId);
  await jobs.enqueue(tx, 'sendEmail', { template: 'passwordSet', customerId, subjectId: newCorrelation() });
}

type Ending = { clock: Clock; live: LiveBus };

/** Ends every session and socket of a user. */
export async function endUserSessions({ clock, live }: Ending, tx: Db, userId: string): Promise<void> {
  await tx
    .updateTable('session')
    .set({ ended_at: clock.now() })
    .where(ofUser(userId))
    .where('ended_at', 'is', null)
    .execute();
  await live.disconnect(tx, `user:${userId}`);
}

/** Ends every session and socket of a customer and of its founder. */
export async function endAllSessions({ clock, live }: Ending, tx: Db, customerId: string): Promise<void> {
  await endUserSessions({ clock, live }, tx, customerId);
  await tx
    .updateTable('session')
    .set({ ended_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .execute();
  await live.disconnect(tx, `customer:${customerId}`);
}
