import type { Language } from '@fixpoint/contract/languages.ts';
import type { Person } from '@fixpoint/domain/account/team.ts';
import type { Caller } from '../../kernel/caller.ts';
import { isRefusal, type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import {
  type AccountDeps,
  addMembership,
  addUser,
  holdWorkOf,
  lockCustomers,
  lockPeople,
  type OpenedSession,
  openNext,
  openSession,
  refuseCommon,
  whole,
} from '../account/index.ts';
import { recordAction } from '../audit/index.ts';
import { allow } from './allowances.ts';
import { consumeInvitation, readInvitation } from './invitations.ts';

/** Consumes an invitation and adds the user, under the lock that every change of a customer's people takes. */
async function join(
  { clock, jobs }: Pick<AccountDeps, 'clock' | 'jobs'>,
  tx: Db,
  { id, token, customerId, userId }: { id: string; token: string; customerId: string; userId: string },
  people: readonly Person[],
): Promise<Refusal | undefined> {
  const invitation = await consumeInvitation(tx, clock, { id, token });
  if (!invitation) return refuse('tokenInvalid');
  const owners = people.filter(({ role }) => role === 'owner');
  const { role, invitedBy } = invitation;
  const since = clock.now();
  if (!(await addMembership(tx, { customerId, userId }, { role, invitedBy, since })))
    return refuse('emailExists');
  const { subscriptionId, devices } = invitation;
  if (role === 'member' && subscriptionId && devices)
    await allow(tx, { customerId, userId }, { subscriptionId, devices });
  await openNext(tx, { customerId, userId });
  const job = { template: 'teamJoined' as const, customerId, subjectId: userId };
  for (const { userId: owner } of owners)
    await jobs.enqueue(tx, 'sendEmail', owner === customerId ? job : { ...job, userId: owner });
  await recordAction(tx, { at: since, userId, customerId, action: 'joinTeam' });
  return undefined;
}

/** Accepts an invitation as the logged-in user. Another address than the invited one changes nothing. */
export function joinTeam(
  deps: AccountDeps,
  userId: string,
  token: string,
): Promise<Refusal | { customerId: string }> {
  const { db, clock } = deps;
  return db.transaction().execute(async tx => {
    await holdWorkOf(tx, userId);
    const found = await readInvitation(tx, clock, token);
    // The user, too, so that nobody gives them another ID meanwhile.
    await lockCustomers(tx, found ? [userId, found.customerId] : [userId]);
    const user = await tx
      .selectFrom('customer')
      .select('email')
      .where('id', '=', userId)
      .where('status', '=', 'active')
      .where('founder_id', 'is', null)
      .executeTakeFirst();
    const people = found ? await lockPeople(tx, found.customerId) : [];
    if (!found || people.length === 0) return refuse('tokenInvalid');
    if (user?.email !== found.email) return refuseFields({ invitation: 'team.invitation.otherEmail' });
    const { id, customerId } = found;
    return (await join(deps, tx, { id, token, customerId, userId }, people)) ?? { customerId };
  });
}

/** Accepts an invitation as a new user with a password, and logs in. The link proves that they read the address. */
export async function acceptInvitation(
  deps: AccountDeps,
  token: string,
  request: { password: string; language: Language; termsVersion: string },
  caller: Pick<Caller, 'userAgent' | 'deviceCookie'>,
): Promise<OpenedSession | Refusal> {
  const { db, clock } = deps;
  const found = await readInvitation(db, clock, token);
  if (!found) return refuse('tokenInvalid');
  if (request.termsVersion !== deps.termsVersion) return refuseFields({ termsVersion: 'form.terms.changed' });
  const { id, email, customerId } = found;
  const refused = await refuseCommon(request.password, [deps.brandName, email]);
  if (refused) return refused;
  if (await deps.isBlocked(db, email)) return refuse('accessRestricted');
  const passwordHash = await deps.passwords.hash(request.password);
  const made = await whole(db, async tx => {
    const people = await lockPeople(tx, customerId);
    if (people.length === 0) return refuse('tokenInvalid');
    const userId = await addUser(tx, clock, { email, language: request.language, passwordHash });
    if (!userId) return refuse('emailExists');
    return (await join(deps, tx, { id, token, customerId, userId }, people)) ?? { userId };
  });
  if (isRefusal(made)) return made;
  return (await openSession(deps, made.userId, caller)) ?? refuse('authenticationFailed');
}
