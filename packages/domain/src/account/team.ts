type Role = 'member' | 'buyer' | 'owner';
export type Person = { userId: string; role: Role };

/** What somebody wants to change about the people of a customer. */
export type TeamChange =
  | { kind: 'invite' }
  | { kind: 'leave' }
  | { kind: 'setRole'; userId: string; role: Role }
  | { kind: 'remove' | 'handOver'; userId: string };

/** Names of the error catalogue: not an owner any more; nobody of that ID; oneself, or the last owner. */
export type TeamRefusal = 'forbidden' | 'userNotFound' | 'userNotDeletable';

/**
 * Whether somebody may change who works for a customer. A customer has an owner at all times: nobody demotes or removes
 * themselves, and the last owner does not leave.
 * @param people everybody who works for the customer, under a lock
 */
export function refusedChange(
  people: readonly Person[],
  actorId: string,
  change: TeamChange,
): TeamRefusal | undefined {
  const actor = people.find(({ userId }) => userId === actorId);
  if (!actor) return 'forbidden';
  if (change.kind === 'leave') {
    const isLastOwner = !people.some(({ userId, role }) => role === 'owner' && userId !== actorId);
    return isLastOwner ? 'userNotDeletable' : undefined;
  }
  // The role may have changed since the call was admitted.
  if (actor.role !== 'owner') return 'forbidden';
  if (change.kind === 'invite') return undefined;
  if (!people.some(({ userId }) => userId === change.userId)) return 'userNotFound';
  return change.userId === actorId ? 'userNotDeletable' : undefined;
}

/** Who owns the customer no longer after a change, if they did. @param actorId who makes it */
export function noOwnerAfter(change: TeamChange, actorId: string): string | undefined {
  if (change.kind === 'leave' || change.kind === 'handOver') return actorId;
  if (change.kind === 'remove') return change.userId;
  return change.kind === 'setRole' && change.role !== 'owner' ? change.userId : undefined;
}
