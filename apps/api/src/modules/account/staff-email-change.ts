import { InvalidInput } from '../../kernel/invalid-input.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { BlockList } from '../block/index.ts';
import { holderOf } from './account.ts';
import { announceEmailChange, applyEmailChange, UNDO_MS } from './change-email.ts';
import { activeAccount } from './lift-waits.ts';

/** The owner of the present address can stop a change by staff for this long. */
const DELAY_MS = 24 * 60 * 60_000;
/** Changes of one run: more than staff makes in a minute. */
const BATCH = 100;

/** Changes that do not hold yet. */
const waiting = (db: Db) => db.selectFrom('email_change').where('applied_at', 'is', null);

/**
 * What staff would do to the address of an account.
 * @param blocks asked whether the address may have no account any more
 * @throws InvalidInput for an address that the account has or cannot have
 */
export async function planEmailChange(
  db: Db,
  { blocks, clock }: { blocks: BlockList; clock: Clock },
  { customer, email }: { customer: string; email: string },
): Promise<{ customerId: string; present: string; email: string; stops: string[] }> {
  const { id: customerId, email: present } = await activeAccount(db, customer);
  const rows = await waiting(db).select('new_email').where('user_id', '=', customerId).execute();
  const stops = rows.map(({ new_email }) => new_email);
  if (email === present) {
    if (stops.length === 0) throw new InvalidInput(`${present} is the address of this account already.`);
  } else {
    if (stops.includes(email)) throw new InvalidInput(`A change to ${email} waits already.`);
    const holder = await holderOf(db, email);
    if (holder && holder.id !== customerId) throw new InvalidInput(`${email} belongs to another account.`);
    if (await blocks.holds(db, clock.now(), 'email', email))
      throw new InvalidInput(`${email} is on the block list.`);
  }
  return { customerId, present, email, stops };
}

/**
 * Announces the planned change to the present and to the new address, instead of one that waits.
 * @returns when it holds; undefined where the plan only stops one that waits
 */
export async function changeEmailByStaff(
  deps: { clock: Clock; jobs: Jobs },
  tx: Db,
  { customerId, present, email }: { customerId: string; present: string; email: string },
): Promise<Date | undefined> {
  await tx
    .deleteFrom('email_change')
    .where('user_id', '=', customerId)
    .where('applied_at', 'is', null)
    .execute();
  if (email === present) return undefined;
  const change = { userId: customerId, email, delayMs: DELAY_MS };
  const subjectId = await announceEmailChange(deps, tx, change);
  await deps.jobs.enqueue(tx, 'sendEmail', { template: 'emailAnnounced', customerId, subjectId });
  return new Date(deps.clock.now().getTime() + DELAY_MS);
}

/** Makes the changes hold whose time has come. One to an address that has an account by now is given up. */
export async function applyDueChanges(deps: { db: Db; clock: Clock }): Promise<void> {
  const { db, clock } = deps;
  const due = await waiting(db)
    .select('id')
    .where('undo_until', '<=', new Date(clock.now().getTime() + UNDO_MS))
    .orderBy('undo_until')
    .limit(BATCH)
    .execute();
  for (const { id } of due) await db.transaction().execute(tx => applyEmailChange(deps, tx, id));
}
