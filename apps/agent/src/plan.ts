import type { DesiredKey, DesiredSet, DesiredSubscription } from '@fixpoint/contract/agent.ts';

/** What differs for a subscription that stays in its slot and on its address. */
export type ChangedSubscription = {
  before: DesiredSubscription;
  now: DesiredSubscription;
  removedKeys: DesiredKey[];
  addedKeys: DesiredKey[];
  /** The plan's rate or a key's own has changed. */
  rateChanged: boolean;
  /** Keys whose running session must log in again: a certificate was revoked, or the tunnel address is another. */
  relogin: string[];
  /** It answers on other ports. */
  portsChanged: boolean;
  /** Other ports lead to its devices, or to others of them. */
  forwardsChanged: boolean;
  /** Something changed that the process reads only at its start. */
  restart: boolean;
};

export type Changes = {
  removed: DesiredSubscription[];
  added: DesiredSubscription[];
  /** Only those with a difference. */
  changed: ChangedSubscription[];
  /** The host's resolvers, where they are others now. */
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
    // Rates of added and removed keys are set with their classes; only a changed rate needs the rest touched.
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
 * Compares the set that a host runs with the one it should run. Pure: the same two sets give the same changes, and
 * equal sets give none (S79). A subscription whose slot or addresses change is removed and added again.
 */
export function plan(was: HostSet, is: HostSet): Changes {
  const before = new Map(was.subscriptions.map(s => [s.id, s]));
  const now = new Map(is.subscriptions.map(s => [s.id, s]));
  const stays = (s: DesiredSubscription | undefined, other: DesiredSubscription) =>
    s && sameEndpoint(s, other);
  return {
    dns: JSON.stringify(was.dns) === JSON.stringify(is.dns) ? undefined : is.dns,
    removed: was.subscriptions.filter(s => !stays(now.get(s.id), s)),
    added: is.subscriptions.filter(s => !stays(before.get(s.id), s)),
    changed: is.subscriptions
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
          k.before.revoked.length !== k.now.revoked.length,
      ),
  };
}

/** A set without some of its subscriptions, and which. */
type Part = { usable: HostSet; refused: string[] };

/**
 * Drops subscriptions at an address that is the machine's own: the firewall would drop every answer to the machine there.
 * @param own addresses by which the machine reaches the internet: its own, and that of the next router
 */
export function withoutOwn(set: HostSet, own: readonly string[]): Part {
  const isOwn = ({ bindAddress }: DesiredSubscription) => own.includes(bindAddress);
  return {
    usable: { ...set, subscriptions: set.subscriptions.filter(s => !isOwn(s)) },
    refused: set.subscriptions.filter(isOwn).map(({ id }) => id),
  };
}

/**
 * Drops subscriptions that cannot run beside an earlier one of the same set: same id, slot or address, or a key that
 * is another's. The shop never sends such a set; if it does, one customer is refused instead of all.
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
