import type { DesiredSet, DesiredSubscription, Drift } from '@fixpoint/contract/agent.ts';
import { z } from 'zod';

/**
 * What has ended on this host, newest last: a deleted key, a subscription that is over (`endsAt`: as was paid for), the number
 * of a certificate (`keyId`: whose; `endsAt`: when nobody takes it any more, revoked or not). A shop that was restored from a backup has it again and does not know better: what it then
 * brings back is `refused`.
 */
const tombstone = z.object({
  id: z.string(),
  endsAt: z.string().optional(),
  keyId: z.string().optional(),
  refused: z.literal(true).optional(),
});
export const tombstones = z.array(tombstone);
type Ended = z.infer<typeof tombstone>;

/** Backups are of yesterday: months of a busy host. */
const MOST = 2000;

/** Paid for once more since: somebody has taken it up again. One that is not set up yet has no end. */
const isRenewed = (s: DesiredSubscription, ended: Ended): boolean =>
  !s.endsAt || (ended.endsAt !== undefined && Date.parse(s.endsAt) > Date.parse(ended.endsAt));

/** A set by its ids: thousands of things that have ended are looked for in it at each change. */
type Known = { subscriptions: Map<string, DesiredSubscription>; ofKey: Map<string, DesiredSubscription> };
const knownIn = ({ subscriptions }: DesiredSet): Known => ({
  subscriptions: new Map(subscriptions.map(s => [s.id, s])),
  ofKey: new Map(subscriptions.flatMap(s => s.keys.map(({ id }) => [id, s] as const))),
});

/** Whether a set has again what had ended. A certificate that has run out is listed as revoked no more, and is of no use. */
function isBack(ended: Ended, { subscriptions, ofKey }: Known, now: Date): boolean {
  if (ended.keyId) {
    if (ended.endsAt && Date.parse(ended.endsAt) <= now.getTime()) return false;
    const of = ofKey.get(ended.keyId);
    return of !== undefined && !of.revoked.some(({ serial }) => serial === ended.id);
  }
  const subscription = subscriptions.get(ended.id);
  return subscription ? !isRenewed(subscription, ended) : ofKey.has(ended.id);
}

/** What of a set is no more in the next one, and no other host serves. Keys of one that is suspended are not deleted. */
function endedBetween(before: DesiredSet, next: DesiredSet): Ended[] {
  const now = new Map(next.subscriptions.map(s => [s.id, s]));
  return before.subscriptions.flatMap((was): Ended[] => {
    const is = now.get(was.id);
    if (!is) return next.moved.includes(was.id) ? [] : [{ id: was.id, endsAt: was.endsAt }];
    if (is.suspended) return [];
    const kept = new Set(is.keys.map(({ id }) => id));
    return was.keys.flatMap(({ id }) => (kept.has(id) ? [] : [{ id }]));
  });
}

/** Certificates that a shop had revoked, and does not know as such any more although their key is there. */
const unrevoked = (before: DesiredSet, next: Known, now: Date): Ended[] =>
  before.subscriptions
    .flatMap(({ revoked }) => revoked)
    .map(({ serial, ...of }) => ({ id: serial, ...of }))
    .filter(ended => isBack(ended, next, now));

/** What is known to have ended when the next set is there. */
export function endedAfter(
  ended: Ended[],
  before: DesiredSet | undefined,
  next: DesiredSet,
  now: Date,
): Ended[] {
  const there = knownIn(next);
  const known = before && next.restored ? [...ended, ...unrevoked(before, there, now)] : ended;
  const judged = known.flatMap(({ refused, ...thing }): Ended[] => {
    if (!isBack(thing, there, now)) return [thing];
    return refused || next.restored ? [{ ...thing, refused: true }] : [];
  });
  const added = before ? endedBetween(before, next) : [];
  const again = new Set(added.map(({ id }) => id));
  return [...judged.filter(({ id }) => !again.has(id)), ...added].slice(-MOST);
}

function refusedIn(set: DesiredSet, ended: Ended[], now: Date): Ended[] {
  const refused = ended.filter(thing => thing.refused);
  if (refused.length === 0) return [];
  const there = knownIn(set);
  return refused.filter(thing => isBack(thing, there, now));
}

/** The set without what has ended and is refused. */
export function withoutEnded(set: DesiredSet, ended: Ended[], now: Date): DesiredSet {
  const refused = refusedIn(set, ended, now);
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
export function driftWith(drift: Drift[], set: DesiredSet | undefined, ended: Ended[], now: Date): Drift[] {
  const refused = set ? refusedIn(set, ended, now).length : 0;
  if (refused === 0) return drift;
  const clients = drift.find(({ what }) => what === 'client') ?? { what: 'client', more: 0, missing: 0 };
  return [
    ...drift.filter(({ what }) => what !== 'client'),
    { ...clients, missing: clients.missing + refused },
  ];
}
