import { newId } from '../../crypto/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';

/**
 * Creates a user who works for others only: the row of their own customer stays unlisted until their first purchase.
 * @returns their ID, or undefined when the address has a log-in
 */
export async function addUser(
  tx: Db,
  clock: Clock,
  { email, language, passwordHash }: { email: string; language: string; passwordHash: string },
): Promise<string | undefined> {
  const made = await tx
    .insertInto('customer')
    .values({
      id: newId('cus'),
      email,
      language,
      password_hash: passwordHash,
      created_at: clock.now(),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return undefined;
  // Written by a trigger with every customer.
  await tx.deleteFrom('membership').where('customer_id', '=', made.id).execute();
  return made.id;
}
