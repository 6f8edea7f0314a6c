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
 * themselves, and the last owner does not leave. The founder stays, as a buyer at least, because their log-in has the
 * customer's ID.
 * @param people everybody who works for the customer, under a lock
 * @param founderId the user with the customer's ID
 */
export function refusedChange(
  people: readonly Person[],
  actorId: string,
  founderId: string,
  change: TeamChange,
): TeamRefusal | undefined {
  const actor = people.find(({ userId }) => userId === actorId);
  if (!actor) return 'forbidden';
  if (change.kind === 'leave') {
    const isLastOwner = !people.some(({ userId, role }) => role === 'owner' && userId !== actorId);
    return isLastOwner || actorId === founderId ? 'userNotDeletable' : undefined;
  }
  // The role may have changed since the call was admitted.
  if (actor.role !== 'owner') return 'forbidden';
  if (change.kind === 'invite') return undefined;
  const { kind, userId: wanted } = change;
  const endsPart = kind === 'remove' || (kind === 'setRole' && change.role === 'member');
  if (!people.some(({ userId }) => userId === wanted)) return 'userNotFound';
  if (wanted === actorId) return 'userNotDeletable';
  return endsPart && wanted === founderId ? 'userNotDeletable' : undefined;
}
