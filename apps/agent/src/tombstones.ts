import type { DesiredSet, DesiredSubscription, Drift } from '@fixpoint/contract/agent.ts';
import { z } from 'zod';

/**
 * What has ended on this host, newest last: a deleted key, a subscription that is over (`endsAt`: as was paid for), the number
 * of a certificate (`keyId`: whose; `endsAt`: when nobody takes it any more, revoked or not). A shop that was restored from a backup has it again and does not know better: what it then
 * brings back is `refused`.
 */
const tombstoneSchema = z.object({
  id: z.string(),
  endsAt: z.string().optional(),
  keyId: z.string().optional(),
  refused: z.literal(true).optional(),
});
export const tombstonesSchema = z.array(tombstoneSchema);
type Tombstone = z.infer<typeof tombstoneSchema>;

/** Backups are of yesterday: months of a busy host. */
const MAX_TOMBSTONES = 2000;

/** Paid for once more since: somebody has taken it up again. One that is not set up yet has no end. */
const isRenewed = (s: DesiredSubscription, tombstone: Tombstone): boolean =>
  !s.endsAt || (tombstone.endsAt !== undefined && Date.parse(s.endsAt) > Date.parse(tombstone.endsAt));

/** A set by its ids: thousands of things that have ended are looked for in it at each change. */
type Known = { subscriptions: Map<string, DesiredSubscription>; ofKey: Map<string, DesiredSubscription> };
const knownIn = ({ subscriptions }: DesiredSet): Known => ({
  subscriptions: new Map(subscriptions.map(s => [s.id, s])),
  ofKey: new Map(subscriptions.flatMap(s => s.keys.map(({ id }) => [id, s] as const))),
});

/** Whether a set has again what had ended. A certificate that has run out is listed as revoked no more, and is of no use. */
function isBack(tombstone: Tombstone, { subscriptions, ofKey }: Known, now: Date): boolean {
  if (tombstone.keyId) {
    if (tombstone.endsAt && Date.parse(tombstone.endsAt) <= now.getTime()) return false;
    const of = ofKey.get(tombstone.keyId);
    return of !== undefined && !of.revoked.some(({ serial }) => serial === tombstone.id);
  }
  const subscription = subscriptions.get(tombstone.id);
  return subscription ? !isRenewed(subscription, tombstone) : ofKey.has(tombstone.id);
}

/** What of a set is no more in the next one, and no other host serves. Keys of one that is suspended are not deleted. */
function tombstonesBetween(before: DesiredSet, next: DesiredSet): Tombstone[] {
  const now = new Map(next.subscriptions.map(s => [s.id, s]));
  return before.subscriptions.flatMap((was): Tombstone[] => {
    const is = now.get(was.id);
    if (!is) return next.moved.includes(was.id) ? [] : [{ id: was.id, endsAt: was.endsAt }];
    if (is.suspended) return [];
    const current = new Set(is.keys.map(({ id }) => id));
    return was.keys.flatMap(({ id }) => (current.has(id) ? [] : [{ id }]));
  });
}

/** Certificates that a shop had revoked, and does not know as such any more although their key is there. */
const unrevoked = (before: DesiredSet, next: Known, now: Date): Tombstone[] =>
  before.subscriptions
    .flatMap(({ revoked }) => revoked)
    .map(({ serial, ...of }) => ({ id: serial, ...of }))
    .filter(tombstone => isBack(tombstone, next, now));

/** What is known to have ended when the next set is there. */
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

/** The set without what has ended and is refused. */
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

/** To the shop, what is refused is missing: somebody has to end it there, too. */
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
