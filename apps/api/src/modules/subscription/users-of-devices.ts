import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** SQL: the user of a device. One from before there were users is the founder's. */
export const userOfDevice = sql<string>`coalesce(vpn_key.user_id, vpn_key.customer_id)`;

type User = { id: string; email: string; name?: string };

/** Everybody who works for the customer whose call it is. */
export async function peopleOfCaller(db: Db): Promise<User[]> {
  const { rows } = await sql<{ id: string; email: string; name: string | null }>`
    select id, email, name from people_of_customer()`.execute(db);
  return rows.map(({ name, ...user }) => ({ ...user, ...(name && { name }) }));
}

/**
 * Users of a customer's devices, for a call of the customer. Reads nothing where all devices are the caller's own.
 * @returns the member `user` of a device's row: whose it is, unless it is the caller's
 */
export async function usersOf(
  db: Db,
  callerId: string,
  devices: readonly { user_id: string }[],
): Promise<(userId: string) => { user?: User }> {
  if (devices.every(({ user_id }) => user_id === callerId)) return () => ({});
  const users = new Map((await peopleOfCaller(db)).map(user => [user.id, user]));
  return userId => {
    const user = userId === callerId ? undefined : users.get(userId);
    return user ? { user } : {};
  };
}
