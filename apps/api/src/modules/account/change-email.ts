import { timingSafeEqual } from 'node:crypto';
import { newId } from '../../crypto/secrets.ts';
import { isRefusal, type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { type AccountDeps, holderOf } from './account.ts';
import { type CodeDeps, type CodeSent, requestCode, spend, tryCode } from './codes.ts';
import { endEmailedSecrets } from './emailed-secrets.ts';
import { lockOwner } from './lock-owner.ts';

/** A change can be undone from the previous address for this long. */
export const UNDO_MS = 7 * 24 * 60 * 60_000;

/**
 * Emails a code to the address that a user wants. The answer is the same for one that is somebody's already: they get an
 * email instead of a code.
 */
export async function requestEmailChange(
  deps: AccountDeps,
  userId: string,
  email: string,
): Promise<CodeSent | Refusal> {
  const { db } = deps;
  const present = db.selectFrom('customer').select('email').where('id', '=', userId);
  if ((await present.executeTakeFirstOrThrow()).email === email)
    return refuseFields({ email: 'form.email.same' });
  if (await deps.isBlocked(db, email)) return refuse('accessRestricted');
  return requestCode(deps, { purpose: 'changeEmail', email, customer_id: userId }, { proved: true });
}

/** Changes the address of a user who has the code that was sent to the new one. */
export async function confirmEmailChange(
  deps: AccountDeps,
  userId: string,
  { flow, code }: { flow: string; code: string },
): Promise<{ email: string } | Refusal> {
  const challenge = await tryCode(deps, flow, code, ['changeEmail']);
  if (isRefusal(challenge)) return challenge;
  if (challenge.customer_id !== userId) return refuse('codeExpired');
  const { email } = challenge;
  return deps.db.transaction().execute(async tx => {
    if (!(await lockOwner(tx, userId))) return refuse('tokenInvalid');
    if (!(await spend(tx, deps.clock, challenge.id))) return refuse('codeExpired');
    const changeId = await announceEmailChange(deps, tx, { userId, email });
    const refused = await applyEmailChange(deps, tx, changeId);
    return refused ?? { email };
  });
}

/**
 * Writes down that a user gets another address, and tells the present one, with a link that stops or undoes it. The address
 * changes with `applyEmailChange`.
 * @param delayMs time until then; the link works for 7 days after it
 * @returns ID of the change
 */
export async function announceEmailChange(
  { clock, jobs }: { clock: Clock; jobs: Jobs },
  tx: Db,
  { userId, email, delayMs = 0 }: { userId: string; email: string; delayMs?: number },
): Promise<string> {
  const id = newId('emc');
  await tx
    .insertInto('email_change')
    .columns(['id', 'user_id', 'old_email', 'new_email', 'undo_until'])
    .expression(eb =>
      eb
        .selectFrom('customer')
        .select([
          eb.val(id).as('id'),
          'customer.id as user_id',
          'customer.email as old_email',
          eb.val(email).as('new_email'),
          eb.val(new Date(clock.now().getTime() + delayMs + UNDO_MS)).as('undo_until'),
        ])
        .where('customer.id', '=', userId),
    )
    .execute();
  await jobs.enqueue(tx, 'sendEmail', { template: 'emailChanged', customerId: userId, subjectId: id });
  return id;
}

/**
 * Makes an announced change hold. Codes and links that were sent to the previous address end; sessions go on.
 * @returns a refusal when the change was stopped, the account has ended, or another account has the address (5002)
 */
export async function applyEmailChange(
  { clock }: { clock: Clock },
  tx: Db,
  changeId: string,
): Promise<Refusal | undefined> {
  const now = clock.now();
  const change = await tx
    .selectFrom('email_change')
    .selectAll()
    .where('id', '=', changeId)
    .where('applied_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!change || !(await lockOwner(tx, change.user_id))) return refuse('tokenInvalid');
  const { user_id: userId, new_email: email } = change;
  const holder = await holderOf(tx, email);
  if (holder && holder.id !== userId) {
    // Its email is not sent any more.
    await tx.deleteFrom('email_change').where('id', '=', changeId).execute();
    return refuse('emailExists');
  }
  await endEmailedSecrets(tx, userId, now);
  await tx.updateTable('customer').set({ email }).where('id', '=', userId).execute();
  await tx.updateTable('email_change').set({ applied_at: now }).where('id', '=', changeId).execute();
  return undefined;
}

type CodeHash = Pick<CodeDeps, 'codeHash'>;
const seal = ({ codeHash }: CodeHash, changeId: string): Buffer => codeHash(changeId, 'undo');

/** Token of the link that undoes a change: nothing is stored, so an email that is sent twice has the same one. */
export const undoTokenOf = (deps: CodeHash, changeId: string): string =>
  `${changeId}.${seal(deps, changeId).toString('base64url')}`;

/** The change of a token; undefined where the shop has not made it. */
export function changeOfToken(deps: CodeHash, token: string): string | undefined {
  const [, id, given] = /^(emc_\w{1,40})\.([\w-]{43})$/.exec(token) ?? [];
  if (!id) return undefined;
  return timingSafeEqual(Buffer.from(given!, 'base64url'), seal(deps, id)) ? id : undefined;
}
