import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { noOwnerAfter, refusedChange, type TeamChange } from '@fixpoint/domain/account/team.ts';
import { newCorrelation } from '../../crypto/secrets.ts';
import type { Actor } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import {
  changeMembership,
  endMembership,
  giveFounderOwnId,
  lockPeople,
  lockWorkOf,
} from '../account/index.ts';
import { allowForRole } from './allowances.ts';
import type { TeamDeps } from './invite.ts';

/**
 * Runs a change under the lock of the customer's people, if the actor may make it. A founder who is no owner afterwards gets an
 * ID of their own first: the rows of the customer's ID are no longer theirs, nor is what somebody buys with their address.
 * @param work gets who is no owner afterwards, or else whom it is about
 */
const change = (
  deps: TeamDeps,
  { userId: actorId, customerId }: Actor,
  wanted: TeamChange,
  work: (tx: Db, of: Actor) => Promise<unknown>,
): Promise<Refusal | Record<string, never>> =>
  deps.db.transaction().execute(async tx => {
    const noOwner = noOwnerAfter(wanted, actorId);
    const moves = noOwner === customerId;
    const customers = moves ? await lockWorkOf(tx, customerId) : [];
    const refused = refusedChange(await lockPeople(tx, customerId), actorId, wanted);
    if (refused) return refuse(refused);
    const userId = noOwner ?? ('userId' in wanted ? wanted.userId : actorId);
    const ownId = moves ? await giveFounderOwnId(deps, tx, customerId, customers) : userId;
    await work(tx, { customerId, userId: ownId });
    return {};
  });

/** Gives somebody another role, and emails them. Refused unless the actor is an owner, and for their own role. */
export const setRole = (deps: TeamDeps, actor: Actor, userId: string, role: TeamRole) =>
  change(deps, actor, { kind: 'setRole', userId, role }, (tx, of) => giveRole(deps, tx, of, role));

/** Changes a role, and emails the user. */
async function giveRole(deps: TeamDeps, tx: Db, of: Actor, role: TeamRole): Promise<void> {
  await changeMembership(deps, tx, of, role);
  await allowForRole(tx, of, role);
  const { customerId, userId } = of;
  await deps.jobs.enqueue(tx, 'sendEmail', {
    template: 'teamRole',
    customerId,
    subjectId: userId,
    copy: newCorrelation(),
    ...(userId !== customerId && { userId }),
  });
}

/** Ends the part of somebody else, and emails them. Refused unless the actor is an owner. */
export const removePerson = (deps: TeamDeps, actor: Actor, userId: string) =>
  change(deps, actor, { kind: 'remove', userId }, async (tx, of) => {
    await endMembership(deps, tx, of);
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'teamRemoved',
      customerId: of.userId,
      subjectId: of.customerId,
      copy: newCorrelation(),
    });
  });

/** Ends the part of the actor. Refused for the last owner. */
export const leave = (deps: TeamDeps, actor: Actor) =>
  change(deps, actor, { kind: 'leave' }, (tx, of) => endMembership(deps, tx, of));

/** Makes somebody else an owner, and the actor a buyer. */
export const handOver = (deps: TeamDeps, actor: Actor, userId: string) =>
  change(deps, actor, { kind: 'handOver', userId }, async (tx, of) => {
    await giveRole(deps, tx, { ...of, userId }, 'owner');
    await changeMembership(deps, tx, of, 'buyer');
  });
