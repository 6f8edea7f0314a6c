import { newId } from '../../crypto/secrets.ts';
import { pseudonymOf } from '../../kernel/pseudonym.ts';
import type { Db } from '../../ports/database.ts';
import type { AccountDeps, UserMove } from './account.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { ofUser } from './sessions.ts';
import { resealTotp } from './totp.ts';

/** Tables of a log-in. What a ceremony began ends. */
const LOG_IN = ['link_token', 'challenge', 'totp', 'recovery_code', 'passkey'] as const;
/** Those whose rows have the ID in them. */
const MADE_FOR = ['recovery_code', 'passkey'] as const;

/**
 * Gives the user who founded a customer an ID of their own, so that they are like everybody else who works for it. Their
 * log-in, devices and memberships go on under the new ID, and emailed codes and links end; the customer keeps everything
 * else, and nobody logs in by its ID any more.
 * @param customers those that the user works for, locked by `lockWorkOf`
 * @returns the user's new ID
 */
export async function giveFounderOwnId(
  deps: Pick<AccountDeps, 'clock' | 'live' | 'vault' | 'moveWork'>,
  tx: Db,
  customerId: string,
  customers: readonly string[],
): Promise<string> {
  const { clock, live } = deps;
  const move = { from: customerId, to: newId('cus'), customers };
  await endEmailedSecrets(tx, customerId, clock.now());
  const user = await addSuccessor(tx, move);
  await moveLogIn(deps, tx, move);
  await moveMemberships(deps, tx, move);
  // Nobody knows this address before, so nobody can have taken it.
  const nobodys = { email: pseudonymOf(newId('cus')), password_hash: null, emails_off: [] };
  const left = tx.updateTable('customer').where('id', '=', customerId);
  await left.set({ ...nobodys, founder_id: move.to }).execute();
  // Customers that they have founded and left before.
  const earlier = tx.updateTable('customer').where('founder_id', '=', customerId);
  await earlier.set({ founder_id: move.to }).execute();
  await tx.deleteFrom('app_user').where('id', '=', customerId).execute();
  await tx.updateTable('customer').set(user).where('id', '=', move.to).execute();
  await live.disconnect(tx, `user:${customerId}`);
  return move.to;
}

/** Adds the row that the log-in hangs on from now on. @returns what it gets once the previous row has given it up */
async function addSuccessor(tx: Db, { from, to }: UserMove) {
  const before = await tx.selectFrom('customer').selectAll().where('id', '=', from).executeTakeFirstOrThrow();
  const { email, password_hash, language, emails_off, created_at } = before;
  await tx
    .insertInto('customer')
    .values({ id: to, email: pseudonymOf(to), language, emails_off, created_at })
    .execute();
  // Written by a trigger with every customer; it comes with their first subscription.
  await tx.deleteFrom('membership').where('customer_id', '=', to).execute();
  const user = tx.selectFrom('app_user').select(['name', 'last_customer_id']).where('id', '=', from);
  const kept = await user.executeTakeFirst();
  if (kept) await tx.updateTable('app_user').set(kept).where('id', '=', to).execute();
  return { email, password_hash };
}

async function moveLogIn(deps: Pick<AccountDeps, 'vault'>, tx: Db, { from, to }: UserMove): Promise<void> {
  await tx.deleteFrom('ceremony').where('customer_id', '=', from).execute();
  await resealTotp(deps, tx, { from, to });
  for (const table of LOG_IN)
    await tx
      .updateTable(table)
      .set({ customer_id: to, user_id: to })
      .where('customer_id', '=', from)
      .execute();
  for (const table of MADE_FOR)
    await tx
      .updateTable(table)
      .set({ made_for: from })
      .where('customer_id', '=', to)
      .where('made_for', 'is', null)
      .execute();
  await tx.updateTable('email_change').set({ user_id: to }).where('user_id', '=', from).execute();
  await tx.updateTable('session').set({ user_id: to }).where(ofUser(from)).execute();
}

/** Moves what a user may do for the customers that they work for, with what hangs on it. */
async function moveMemberships(
  { moveWork }: Pick<AccountDeps, 'moveWork'>,
  tx: Db,
  move: UserMove,
): Promise<void> {
  const { from, to, customers } = move;
  await tx
    .insertInto('membership')
    .columns(['customer_id', 'user_id', 'role', 'invited_by', 'since'])
    .expression(eb =>
      eb
        .selectFrom('membership')
        .select(['customer_id', eb.val(to).as('user_id'), 'role', 'invited_by', 'since'])
        .where('user_id', '=', from),
    )
    .execute();
  await moveWork(tx, move);
  await tx.deleteFrom('membership').where('user_id', '=', from).execute();
  await tx
    .updateTable('membership')
    .set({ invited_by: to })
    .where('customer_id', 'in', [...customers])
    .where('invited_by', '=', from)
    .execute();
}
