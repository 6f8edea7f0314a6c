import type { DesiredSet, DesiredSubscription, Drift } from '@fixpoint/contract/agent.ts';
import { z } from 'zod';

/**
 * Tombstones, newest last: a deleted key, an ended subscription (`endsAt`: paid until), or a
 * certificate serial (`keyId`: its key; `endsAt`: its expiry). After a restore from backup the shop
 * may resend deleted entities; those become `refused`.
 */
const tombstoneSchema = z.object({
  id: z.string(),
  endsAt: z.string().optional(),
  keyId: z.string().optional(),
  refused: z.literal(true).optional(),
});
export const tombstonesSchema = z.array(tombstoneSchema);
type Tombstone = z.infer<typeof tombstoneSchema>;

/** Covers months on a busy host; backups are of yesterday. */
const MAX_TOMBSTONES = 2000;

/** Whether the subscription was renewed after it ended. One that is not set up yet has no end. */
const isRenewed = (s: DesiredSubscription, tombstone: Tombstone): boolean =>
  !s.endsAt || (tombstone.endsAt !== undefined && Date.parse(s.endsAt) > Date.parse(tombstone.endsAt));

/** Index of a set: thousands of tombstones are looked up at each change. */
type Known = { subscriptions: Map<string, DesiredSubscription>; ofKey: Map<string, DesiredSubscription> };
const knownIn = ({ subscriptions }: DesiredSet): Known => ({
  subscriptions: new Map(subscriptions.map(s => [s.id, s])),
  ofKey: new Map(subscriptions.flatMap(s => s.keys.map(({ id }) => [id, s] as const))),
});

/**
 * Whether a set contains a deleted entity again. An expired certificate is no longer listed as
 * revoked and harmless.
 */
function isBack(tombstone: Tombstone, { subscriptions, ofKey }: Known, now: Date): boolean {
  if (tombstone.keyId) {
    if (tombstone.endsAt && Date.parse(tombstone.endsAt) <= now.getTime()) return false;
    const of = ofKey.get(tombstone.keyId);
    return of !== undefined && !of.revoked.some(({ serial }) => serial === tombstone.id);
  }
  const subscription = subscriptions.get(tombstone.id);
  return subscription ? !isRenewed(subscription, tombstone) : ofKey.has(tombstone.id);
}

/**
 * Returns tombstones for what the next set no longer has and no other host serves. A suspended
 * subscription keeps its keys.
 */
function tombstonesBetween(before: DesiredSet, next: DesiredSet): Tombstone[] {
  const now = new Map(next.subscriptions.map(s => [s.id, s]));
  return before.subscriptions.flatMap((old): Tombstone[] => {
    const current = now.get(old.id);
    if (!current) return next.moved.includes(old.id) ? [] : [{ id: old.id, endsAt: old.endsAt }];
    if (current.suspended) return [];
    const currentKeys = new Set(current.keys.map(({ id }) => id));
    return old.keys.flatMap(({ id }) => (currentKeys.has(id) ? [] : [{ id }]));
  });
}

/** Returns certificates that the shop had revoked and no longer lists although their key exists. */
const unrevoked = (before: DesiredSet, next: Known, now: Date): Tombstone[] =>
  before.subscriptions
    .flatMap(({ revoked }) => revoked)
    .map(({ serial, ...of }) => ({ id: serial, ...of }))
    .filter(tombstone => isBack(tombstone, next, now));

/** Returns the tombstones after the next set has arrived. */
export function tombstonesAfter(
  tombstones: Tombstone[],
  before: DesiredSet | undefined,
  next: DesiredSet,
  now: Date,
): Tombstone[] {
  const there = knownIn(next);
  const known = before && next.restored ? [...tombstones, ...unrevoked(before, there, now)] : tombstones;
  const judged = known.flatMap(({ refused, ...tombstone }): Tombstone[] => {
    if (!isBack(tombstone, there, now)) return [tombstone];
    return refused || next.restored ? [{ ...tombstone, refused: true }] : [];
  });
  const added = before ? tombstonesBetween(before, next) : [];
  const again = new Set(added.map(({ id }) => id));
  return [...judged.filter(({ id }) => !again.has(id)), ...added].slice(-MAX_TOMBSTONES);
}

function refusedIn(set: DesiredSet, tombstones: Tombstone[], now: Date): Tombstone[] {
  const refused = tombstones.filter(tombstone => tombstone.refused);
  if (refused.length === 0) return [];
  const there = knownIn(set);
  return refused.filter(tombstone => isBack(tombstone, there, now));
}

/** Returns the set without refused entities. */
export function withoutTombstoned(set: DesiredSet, tombstones: Tombstone[], now: Date): DesiredSet {
  const refused = refusedIn(set, tombstones, now);
  if (refused.length === 0) return set;
  const ids = new Set(refused.flatMap(({ id, keyId }) => (keyId ? [] : [id])));
  return {
    ...set,
    subscriptions: set.subscriptions
      .filter(({ id }) => !ids.has(id))
      .map(s => ({
        ...s,
        keys: s.keys.filter(({ id }) => !ids.has(id)),
        revoked: [
          ...s.revoked,
          ...refused.flatMap(({ id, keyId }) =>
            s.keys.some(key => key.id === keyId) ? [{ keyId: keyId!, serial: id }] : [],
          ),
        ],
      })),
  };
}

/** Reports refused entities as missing, so that somebody deletes them in the shop too. */
export function driftWith(
  drift: Drift[],
  set: DesiredSet | undefined,
  tombstones: Tombstone[],
  now: Date,
): Drift[] {
  const refused = set ? refusedIn(set, tombstones, now).length : 0;
  if (refused === 0) return drift;
  const clients = drift.find(({ what }) => what === 'client') ?? { what: 'client', more: 0, missing: 0 };
  return [
    ...drift.filter(({ what }) => what !== 'client'),
    { ...clients, missing: clients.missing + refused },
  ];
}
