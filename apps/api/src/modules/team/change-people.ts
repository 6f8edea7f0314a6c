import type { TeamRole } from '@fixpoint/contract/team-role.ts';
import { refusedChange, type TeamChange } from '@fixpoint/domain/account/team.ts';
import { newCorrelation } from '../../crypto/secrets.ts';
import type { Actor } from '../../kernel/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { changeMembership, endMembership, lockPeople } from '../account/index.ts';
import { allowForRole } from './allowances.ts';
import { endInvitationsBy } from './invitations.ts';
import type { TeamDeps } from './invite.ts';

/** Runs a change under the lock of the customer's people, if the actor may make it. */
const change = (
  { db }: TeamDeps,
  { userId, customerId }: Actor,
  wanted: TeamChange,
  work: (tx: Db) => Promise<unknown>,
): Promise<Refusal | Record<string, never>> =>
  db.transaction().execute(async tx => {
    const refused = refusedChange(await lockPeople(tx, customerId), userId, customerId, wanted);
    if (refused) return refuse(refused);
    await work(tx);
    return {};
  });

export const setRole = (deps: TeamDeps, actor: Actor, userId: string, role: TeamRole) =>
  change(deps, actor, { kind: 'setRole', userId, role }, tx =>
    giveRole(deps, tx, { customerId: actor.customerId, userId }, role),
  );

/** Changes a role, and emails the user. */
async function giveRole(deps: TeamDeps, tx: Db, of: Actor, role: TeamRole): Promise<void> {
  await changeMembership(deps, tx, of, role);
  await allowForRole(tx, of, role);
  if (role !== 'owner') await endInvitationsBy(tx, of);
  const { customerId, userId } = of;
  await deps.jobs.enqueue(tx, 'sendEmail', {
    template: 'teamRole',
    customerId,
    subjectId: userId,
    copy: newCorrelation(),
    ...(userId !== customerId && { userId }),
  });
}

export const removePerson = (deps: TeamDeps, actor: Actor, userId: string) =>
  change(deps, actor, { kind: 'remove', userId }, async tx => {
    const of = { customerId: actor.customerId, userId };
    await endMembership(deps, tx, of);
    await endInvitationsBy(tx, of);
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'teamRemoved',
      customerId: userId,
      subjectId: actor.customerId,
      copy: newCorrelation(),
    });
  });

export const leave = (deps: TeamDeps, actor: Actor) =>
  change(deps, actor, { kind: 'leave' }, tx => endMembership(deps, tx, actor));

/** Makes somebody else an owner, and the actor a buyer. */
export const handOver = (deps: TeamDeps, actor: Actor, userId: string) =>
  change(deps, actor, { kind: 'handOver', userId }, async tx => {
    await giveRole(deps, tx, { customerId: actor.customerId, userId }, 'owner');
    await changeMembership(deps, tx, actor, 'buyer');
  });
