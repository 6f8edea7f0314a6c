import type { DesiredKey, DesiredSet, DesiredSubscription } from '@fixpoint/contract/agent.ts';

/** Changes of a subscription that keeps its slot and address. */
export type ChangedSubscription = {
  before: DesiredSubscription;
  now: DesiredSubscription;
  removedKeys: DesiredKey[];
  addedKeys: DesiredKey[];
  /** The plan's rate or a key's own rate. */
  rateChanged: boolean;
  /** Keys whose session must log in again: revoked certificate or new tunnel address. */
  relogin: string[];
  /** Its listening ports. */
  portsChanged: boolean;
  /** Its forwarded ports, or the devices that they lead to. */
  forwardsChanged: boolean;
  /** The process must restart: its start-up configuration differs. */
  restart: boolean;
};

export type Changes = {
  removed: DesiredSubscription[];
  added: DesiredSubscription[];
  /** Only those with a difference. */
  changed: ChangedSubscription[];
  /** The host's resolvers, if changed. */
  dns?: readonly string[] | undefined;
};

/** The part of a desired set that a host acts on. */
export type HostSet = Pick<DesiredSet, 'dns' | 'subscriptions'> & Partial<Pick<DesiredSet, 'moved'>>;

export const EMPTY: HostSet = { dns: [], subscriptions: [] };

const sameEndpoint = (a: DesiredSubscription, b: DesiredSubscription) =>
  a.slot === b.slot && a.bindAddress === b.bindAddress && a.prefix6 === b.prefix6;

const sameKey = (a: DesiredKey, b: DesiredKey) => a.id === b.id && a.address === b.address;

const readAtStart = (s: DesiredSubscription) =>
  JSON.stringify([s.port, s.ca, s.serverCertificate, s.serverKey, s.tlsCrypt]);

const rates = (s: DesiredSubscription) =>
  JSON.stringify([s.rateMbit, s.keys.map(key => [key.id, key.rateMbit ?? null]).sort()]);

const forwards = (s: DesiredSubscription) =>
  JSON.stringify(s.keys.flatMap(key => (key.forwardedPort ? [[key.forwardedPort, key.address]] : [])).sort());

const blocking = (s: DesiredSubscription) =>
  JSON.stringify(s.keys.flatMap(key => (key.blockWhenEnded ? [key.id] : [])).sort());

function relogin(before: DesiredSubscription, now: DesiredSubscription): string[] {
  const known = new Set(before.revoked.map(entry => entry.serial));
  const revoked = now.revoked.filter(entry => !known.has(entry.serial)).map(entry => entry.keyId);
  const moved = now.keys.filter(key => before.keys.some(old => old.id === key.id && !sameKey(old, key)));
  return [...new Set([...revoked, ...moved.map(key => key.id)])];
}

function compare(before: DesiredSubscription, now: DesiredSubscription): ChangedSubscription {
  const removedKeys = before.keys.filter(key => !now.keys.some(other => sameKey(key, other)));
  const addedKeys = now.keys.filter(key => !before.keys.some(other => sameKey(key, other)));
  return {
    before,
    now,
    removedKeys,
    addedKeys,
    // Added and removed keys set their own classes; only a changed rate touches the others.
    rateChanged:
      rates({ ...before, keys: before.keys.filter(key => !removedKeys.includes(key)) }) !==
      rates({ ...now, keys: now.keys.filter(key => !addedKeys.includes(key)) }),
    relogin: relogin(before, now),
    portsChanged: before.port !== now.port || before.tcpPort !== now.tcpPort,
    forwardsChanged: forwards(before) !== forwards(now),
    restart: readAtStart(before) !== readAtStart(now),
  };
}

/**
 * Compares the running set with the desired one. Pure: equal sets give no changes (S79). A
 * subscription with a new slot or address is removed and added again.
 */
export function plan(from: HostSet, to: HostSet): Changes {
  const before = new Map(from.subscriptions.map(s => [s.id, s]));
  const now = new Map(to.subscriptions.map(s => [s.id, s]));
  const stays = (s: DesiredSubscription | undefined, other: DesiredSubscription) =>
    s && sameEndpoint(s, other);
  return {
    dns: JSON.stringify(from.dns) === JSON.stringify(to.dns) ? undefined : to.dns,
    removed: from.subscriptions.filter(s => !stays(now.get(s.id), s)),
    added: to.subscriptions.filter(s => !stays(before.get(s.id), s)),
    changed: to.subscriptions
      .filter(s => stays(before.get(s.id), s))
      .map(s => compare(before.get(s.id)!, s))
      .filter(
        k =>
          k.removedKeys.length > 0 ||
          k.addedKeys.length > 0 ||
          k.rateChanged ||
          k.restart ||
          k.portsChanged ||
          k.forwardsChanged ||
          k.relogin.length > 0 ||
          blocking(k.before) !== blocking(k.now) ||
          k.before.revoked.length !== k.now.revoked.length,
      ),
  };
}

/** A set without some subscriptions, and the ids of those. */
type Part = { usable: HostSet; refused: string[] };

/**
 * Drops subscriptions at an address of the machine itself: the firewall would drop every answer to
 * the machine there.
 * @param own addresses by which the machine reaches the internet: its own, and that of the next
 * router
 */
export function withoutOwn(set: HostSet, own: readonly string[]): Part {
  const isOwn = ({ bindAddress }: DesiredSubscription) => own.includes(bindAddress);
  return {
    usable: { ...set, subscriptions: set.subscriptions.filter(s => !isOwn(s)) },
    refused: set.subscriptions.filter(isOwn).map(({ id }) => id),
  };
}

/**
 * Drops subscriptions that conflict with an earlier one of the set: same id, slot, address or key.
 * The shop never sends such a set; if it does, one customer is refused instead of all.
 */
export function withoutConflicts(set: HostSet): Part {
  const taken = new Set<string>();
  const refused: string[] = [];
  const subscriptions = set.subscriptions.filter(s => {
    const claims = [
      `id ${s.id}`,
      `slot ${s.slot}`,
      `address ${s.bindAddress}`,
      ...(s.prefix6 ? [`prefix ${s.prefix6}`] : []),
      ...s.keys.map(key => `key ${key.id}`),
      ...s.keys.map(key => `octet ${s.slot} ${key.address}`),
      ...s.keys.flatMap(key => (key.forwardedPort ? [`port ${s.slot} ${key.forwardedPort}`] : [])),
    ];
    const free = new Set(claims).size === claims.length && claims.every(claim => !taken.has(claim));
    if (free) for (const claim of claims) taken.add(claim);
    else refused.push(s.id);
    return free;
  });
  return { usable: { ...set, subscriptions }, refused };
}
