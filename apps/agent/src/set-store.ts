import type { DesiredAnswer, DesiredSet, Drift } from '@fixpoint/contract/agent.ts';
import type { Moment, Time } from './clock.ts';
import { driftWith, tombstonesAfter, withoutTombstoned } from './deletion-tombstones.ts';
import { effective, emptied, isLeaseExpired, withChanges } from './effective-set.ts';
import { fingerprintOf, type Identity } from './identity.ts';
import type { Log } from './log.ts';
import type { SavedSet } from './saved-set.ts';
import { type StateFile, saver } from './state-file.ts';

/**
 * Fraction of the lease after which the contact time is saved again. After a restart the saved time
 * may be too old by that much.
 */
const SAVE_FRACTION = 0.02;

/** Change of the difference between system clock and shop clock that is saved at once. */
const CLOCK_CHANGE_MS = 60_000;

const clockOffset = ({ wall, shop }: Moment): number => wall.getTime() - shop.getTime();

type Parts = {
  /** On disk: survives a reboot, and can be full, read-only or restored from an old copy. */
  setFile: StateFile<SavedSet>;
  /** In memory: what the host runs, which outlives the agent but not the machine. */
  runningSetFile: StateFile<SavedSet>;
  identity: () => Identity;
  time: Time;
  log: Log;
};

/** The last desired set with its tombstones and its lease, on disk as far as possible. */
export function createSetStore({ setFile, runningSetFile, identity, time, log }: Parts) {
  /**
   * Guards against a copied disk or a shop that mixes up hosts: another host's set would let
   * strangers in.
   */
  const isOwn = (set: DesiredSet): boolean => set.hostId === identity().hostId;

  function restored({ load }: StateFile<SavedSet>): SavedSet | undefined {
    const file = load();
    return file && file.authority === fingerprintOf(identity().ca) && isOwn(file.set) ? file : undefined;
  }

  /**
   * The newer of the two copies: by an older one, the agent would let deleted keys in again and end
   * what was paid for, although the host already runs the newer one.
   */
  function newest(): { found: SavedSet | undefined; diskIsOlder: boolean } {
    const [onDisk, running] = [restored(setFile), restored(runningSetFile)];
    if (!running || (onDisk && onDisk.set.revision > running.set.revision))
      return { found: onDisk, diskIsOlder: false };
    const diskIsOlder = (onDisk?.set.revision ?? 0) < running.set.revision;
    if (diskIsOlder)
      log('diskOlderThanRun', { disk: onDisk?.set.revision ?? 0, running: running.set.revision });
    return { found: running, diskIsOlder };
  }

  const { found, diskIsOlder } = newest();
  let saved = found?.set;
  let tombstones = found?.ended ?? [];
  /** Send time of the last report that the shop has answered. */
  let heardAt = found?.heardAt ?? time.moment();
  time.hear(heardAt);
  let savedAt = heardAt;
  const disk = saver(setFile, 'set', log);
  const running = saver(runningSetFile, 'runningSet', log);
  /** The lease has expired: another host may serve the set until the shop confirms this one. */
  let expired = false;

  function save(set: DesiredSet): void {
    saved = set;
    const file = { authority: fingerprintOf(identity().ca), heardAt, set, ended: tombstones };
    running.save(file);
    disk.save(file);
    savedAt = heardAt;
  }
  if (found && diskIsOlder) save(found.set);

  /**
   * Accepts a set that is newer than the last one. Saved first: a crash must not restore a removed
   * key. Applied even if it cannot be saved, since removed keys could log in otherwise.
   */
  function acceptSet(answer: DesiredAnswer): void {
    if (!isOwn(answer)) log('setOfAnotherHost');
    else if (saved && answer.revision <= saved.revision) log('olderRevision', { revision: answer.revision });
    else {
      const next = 'base' in answer ? withChanges(saved, answer) : answer;
      if (next.restored) log('shopRestored', { revision: next.revision });
      tombstones = tombstonesAfter(tombstones, saved, next, time.now());
      save(next);
    }
  }

  /**
   * Returns what the saved set allows to run now: nothing after the lease, and no subscription past
   * its paid time.
   */
  function wanted(set: DesiredSet): DesiredSet {
    if (!expired && isLeaseExpired(set, time.since(heardAt))) {
      expired = true;
      log('setTooOld');
    }
    return expired ? emptied(set) : effective(withoutTombstoned(set, tombstones, time.now()), time.now());
  }

  const leaseExpired = () => saved !== undefined && isLeaseExpired(saved, time.since(heardAt));

  /**
   * Records a successful report. Saves a system clock change, because a restart relies on that
   * clock, and retries failed saves.
   */
  function recordContact(sentAt: Moment): void {
    const older = time.since(savedAt) - time.since(sentAt);
    const clockChanged = Math.abs(clockOffset(sentAt) - clockOffset(savedAt)) >= CLOCK_CHANGE_MS;
    heardAt = sentAt;
    time.hear(sentAt);
    if (saved && (disk.unsaved() || clockChanged || older > saved.leaseSeconds * 1000 * SAVE_FRACTION))
      save(saved);
  }

  /**
   * Reports an unsaved set: after a restart without the shop, keys deleted since would be let in.
   */
  const diskDrift = (): Drift[] => (disk.unsaved() ? [{ what: 'savedSet', more: 0, missing: 1 }] : []);

  return {
    set: (): DesiredSet | undefined => saved,
    accept: acceptSet,
    wanted,
    leaseExpired,
    recordContact,
    isExpired: (): boolean => expired,
    /** The shop has confirmed this host: the set is valid again. */
    renewLease(): void {
      expired = false;
    },
    /** Removes all subscriptions. @throws Error when the disk still has them */
    clear(): void {
      if (saved) save({ ...saved, subscriptions: [] });
      // After a restart without the shop, the saved set would run in parallel with the next host.
      if (disk.unsaved() || running.unsaved()) throw new Error('the disk still has the set');
    },
    /** Adds refused tombstones and an unsaved set to the drift of the host. */
    driftWith: (drift: Drift[]): Drift[] => [
      ...driftWith(drift, saved, tombstones, time.now()),
      ...diskDrift(),
    ],
  };
}
