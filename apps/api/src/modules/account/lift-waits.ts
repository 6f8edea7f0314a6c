import type { Db } from '../../ports/database.ts';
import type { Limits } from '../../ports/limits.ts';
import { loginCounter } from './log-in.ts';
import { ownSecretCounter } from './secret-tries.ts';
import { appCodeCounter } from './totp.ts';

/** Waits of an account by what caused them. The address or browser of whoever was refused is not known here. */
export const waitsOf = ({ id, email }: { id: string; email: string }) => ({
  'wrong passwords at log-in': loginCounter(email),
  'wrong passwords while logged in': ownSecretCounter(id),
  'wrong codes of the authenticator app': appCodeCounter(id),
});

/**
 * Finds an active account that somebody logs in by, by its ID or email address.
 * @throws Error
 */
export async function activeAccount(db: Db, customer: string): Promise<{ id: string; email: string }> {
  const found = await db
    .selectFrom('customer')
    .select(['id', 'email', 'founder_id'])
    .where(customer.includes('@') ? 'email' : 'id', '=', customer.trim().toLowerCase())
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!found) throw new Error(`There is no active account ${customer}.`);
  if (found.founder_id)
    throw new Error(`Nobody logs in as ${found.id}: its founder left, and is ${found.founder_id} now.`);
  return found;
}

/** Lifts counters that have counted something. @param counters by what caused them @returns the causes */
export async function liftWaits(limits: Limits, counters: Record<string, string>): Promise<string[]> {
  const causes = Object.keys(counters);
  const counted = await limits.read(...Object.values(counters));
  const lifted = causes.filter((_, at) => counted[at]!.count > 0);
  await limits.forget(...lifted.map(cause => counters[cause]!));
  return lifted;
}
