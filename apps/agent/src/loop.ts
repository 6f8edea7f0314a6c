import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DesiredAnswer,
  DesiredSet,
  Drift,
  HostQuestion,
  HostQuestions,
} from '@fixpoint/contract/agent.ts';
import type { Moment, Time } from './clock.ts';
import { effective, emptied, isStale, withChanges } from './effective-set.ts';
import type { Host } from './host.ts';
import { fingerprintOf, type Identity, isLastDay, otherPair, renewalIsDue, renewed } from './identity.ts';
import { faultWord, type Log } from './log.ts';
import { EMPTY } from './plan.ts';
import type { SavedSet } from './saved-set.ts';
import { FENCED, type Shop, ShopRefused, UNKNOWN } from './shop.ts';
import { type StateFile, saver } from './state-file.ts';
import { driftWith, tombstonesAfter, withoutTombstoned } from './tombstones.ts';

const RECONCILE_MS = 10_000;
/** After a change, whoever has made it, it is looked whether the host is what was asked. */
const AFTER_CHANGE_MS = 1000;
const REPORT_MS = 60_000;
/** The shop holds an unchanged request for this long (contract: 25 at most). */
const WAIT_SECONDS = 25;
/** So long an agent that has just started waits for the shop before it serves by the set that it finds. */
const FIRST_POLL_MS = 2000;
const MAX_PAUSE_MS = 10_000;

/** It is written when so much of the set's greatest age has passed: a restart makes it seem older by that. */
const SAVE_FRACTION = 0.02;

/** By so much the clock on the wall goes otherwise than the shop's before that is written down. */
const CLOCK_CHANGE_MS = 60_000;

const clockOffset = ({ wall, shop }: Moment): number => wall.getTime() - shop.getTime();

type Versions = { agentVersion: string; openvpnVersion: string };

type Parts = {
  host: Host;
  identity: Identity;
  identityFile: StateFile<Identity>;
  setFile: StateFile<SavedSet>;
  connect: (identity: Identity) => Shop;
  versions: Versions;
  time: Time;
  log: Log;
  signal: AbortSignal;
};

/** Pause before the next try: doubles, and is spread so that hosts do not come back all at once. */
export const pauseMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(MAX_PAUSE_MS, 250 * 2 ** failures) * (0.5 + random() / 2);

const word = (error: unknown): string =>
  error instanceof ShopRefused ? `status${error.status}` : faultWord(error);

/** The agent's life after its start: ask, apply, report, for as long as the signal lets it. */
export function createLoop({
  host,
  identityFile,
  setFile,
  connect,
  versions,
  time,
  log,
  signal,
  ...parts
}: Parts) {
  let identity = parts.identity;
  /** As whom this host shall speak; it does not yet where its disk has not taken that. */
  let nextIdentity = identity;
  const identityDisk = saver(identityFile, 'identity', log);
  let shop = connect(identity);
  let reportSignal = Promise.withResolvers<void>();
  let reconcileSignal = Promise.withResolvers<void>();

  /** A set of another host would open this one to strangers: a disk that was copied, a shop that mixes hosts up. */
  const isOwn = (set: DesiredSet): boolean => set.hostId === identity.hostId;

  function restored(): SavedSet | undefined {
    const file = setFile.load();
    return file && file.authority === fingerprintOf(identity.ca) && isOwn(file.set) ? file : undefined;
  }

  const found = restored();
  let saved = found?.set;
  let tombstones = found?.ended ?? [];
  /** When the last report that the shop has answered was sent. */
  let heardAt = found?.heardAt ?? time.moment();
  time.hear(heardAt);
  let savedAt = heardAt;
  const disk = saver(setFile, 'set', log);
  /** The set was too old: it may be another host's by now, until the shop has state that it is not. */
  let stale = false;
  /** Another machine is this host, or none any more. */
  let fenced = false;
  /** What the host runs, as far as it is known. */
  let applied: DesiredSet | undefined;
  let appliedRevision = 0;

  /** The newest state is sent soon, not at the next full minute. */
  const reportSoon = () => reportSignal.resolve();
  /** The host is looked at now, not at the next reading of its counters. */
  const reconcileSoon = () => reconcileSignal.resolve();

  let reconcilePending = false;
  /** The host is looked at when what is just being changed is over: of much that goes at once one look is enough. */
  function reconcileAfterChange(): void {
    if (reconcilePending) return;
    reconcilePending = true;
    void pause(AFTER_CHANGE_MS).then(() => {
      reconcilePending = false;
      reconcileSoon();
    });
  }

  function save(set: DesiredSet): void {
    saved = set;
    disk.save({ authority: fingerprintOf(identity.ca), heardAt, set, ended: tombstones });
    savedAt = heardAt;
  }

  /**
   * Takes a set that is newer than the last one. Saved first: a crash half way must not bring back a removed key. One that
   * cannot be saved is taken all the same: its removed keys would go on logging in otherwise.
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

  /** What of the saved set is to run now: nothing of one that is too old, and nothing that is paid no more. */
  function wanted(set: DesiredSet): DesiredSet {
    if (!stale && isStale(set, time.since(heardAt))) {
      stale = true;
      log('setTooOld');
    }
    return stale ? emptied(set) : effective(withoutTombstoned(set, tombstones, time.now()), time.now());
  }

  async function applySaved(): Promise<void> {
    if (!saved || fenced) return;
    const set = wanted(saved);
    const same =
      applied?.revision === set.revision && applied.subscriptions.length === set.subscriptions.length;
    if (same) return;
    applied = undefined;
    await host.apply(set);
    applied = set;
    appliedRevision = set.revision;
    log('applied', { revision: set.revision, subscriptions: set.subscriptions.length });
    reportSoon();
    reconcileAfterChange();
  }

  /** This machine is told to end: its tunnels go, with what it knows of its customers, and it says so. */
  async function stopServing(): Promise<void> {
    if (!fenced) log('ended');
    fenced = true;
    // Tunnels may run also where nothing is known of them: its disk could not be read.
    await host.apply(saved ? emptied(saved) : EMPTY);
    if (saved) save({ ...saved, subscriptions: [] });
    // Started again while the shop is away, it would serve by what the disk still has, beside the next host.
    if (disk.unsaved()) throw new Error('the disk still has the set');
    await shop.stopped();
    log('stopped');
    // Nothing comes any more. The operator takes the agent off this machine, or enrols it again.
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  }

  /** Runs a step again and again; a fault is logged by its word and followed by a pause. */
  async function forever(name: string, step: () => Promise<void>): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await step();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        log(`${name}Failed`, { fault: word(error) });
        await sleep(pauseMs(failures), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  let isFirst = true;
  /**
   * The set that is found at the start may be an old one, of a disk that was restored: what has ended since must not serve
   * for one moment. So the shop is asked first; where it does not answer, what is found is all that is known. Nor must a disk
   * that has taken nothing for days end everybody: a set that seems too old is none where the shop hears of this host again, and
   * has nothing newer.
   */
  async function pollAtStart(): Promise<void> {
    isFirst = false;
    try {
      const reportedAt = isStaleNow() ? await sendReport() : undefined;
      handleAnswer(await poll(0, AbortSignal.any([signal, AbortSignal.timeout(FIRST_POLL_MS)])));
      if (reportedAt) recordContact(reportedAt);
    } catch (error) {
      if (!signal.aborted) log('askFailed', { fault: word(error) });
    }
  }

  /**
   * The saved set then, without the shop: a host that restarts alone serves its customers. It is also how a change
   * that broke off is tried again; the shop is asked meanwhile, for its next set may be the cure.
   */
  async function pollAndApply(): Promise<void> {
    if (isFirst) await pollAtStart();
    const fault = await applySaved().then(
      () => undefined,
      (error: Error) => error,
    );
    if (fault) reportSoon();
    // A set that was too old is in force again when the shop, which knows of this host again, has nothing newer.
    const known = !isStaleNow();
    const answer = await poll(fault || stale ? 0 : WAIT_SECONDS);
    if (known) stale = false;
    else reportSoon();
    if (answer) handleAnswer(answer);
    else if (fault) throw fault;
    // A shop that answers at once instead of holding the request must not be asked in a tight loop.
    else await pause(100);
    await applySaved();
  }

  function handleAnswer(answer: DesiredAnswer | HostQuestions | undefined): void {
    if (answer && 'questions' in answer)
      for (const question of answer.questions) void answerQuestion(question);
    else if (answer) acceptSet(answer);
  }

  /** Beside everything else: a customer waits for the answer, and a change of keys must not wait for him. */
  async function answerQuestion({ id, subscriptionId, restart }: HostQuestion): Promise<void> {
    try {
      const devices = await host.devices(subscriptionId, restart);
      if (devices) await shop.answer({ question: id, devices });
    } catch (error) {
      log('notAnswered', { fault: word(error) });
    }
  }

  const isStaleNow = () => saved !== undefined && isStale(saved, time.since(heardAt));

  async function poll(
    waitSeconds: number,
    until = signal,
  ): Promise<DesiredAnswer | HostQuestions | undefined> {
    try {
      return await withCertificateFallback(() => shop.desired(saved?.revision ?? 0, waitSeconds, until));
    } catch (error) {
      if (error instanceof ShopRefused && error.status === FENCED) await stopServing();
      throw error;
    }
  }

  /**
   * The shop has heard of this host. A clock on the wall that was set is written down: a start would count by it. What the disk
   * did not take is tried again.
   */
  function recordContact(sentAt: Moment): void {
    const older = time.since(savedAt) - time.since(sentAt);
    const clockChanged = Math.abs(clockOffset(sentAt) - clockOffset(savedAt)) >= CLOCK_CHANGE_MS;
    heardAt = sentAt;
    time.hear(sentAt);
    if (saved && (disk.unsaved() || clockChanged || older > saved.leaseSeconds * 1000 * SAVE_FRACTION))
      save(saved);
  }

  /** Started again without the shop, this host would let in what was deleted since the disk took a set. */
  const diskDrift = (): Drift[] => (disk.unsaved() ? [{ what: 'savedSet', more: 0, missing: 1 }] : []);

  async function report(): Promise<void> {
    await Promise.race([reportSignal.promise, pause(REPORT_MS)]);
    reportSignal = Promise.withResolvers();
    if (signal.aborted || fenced) return;
    try {
      recordContact(await sendReport());
    } catch (error) {
      reportSoon();
      throw error;
    }
    await renew();
  }

  /** @returns when that was: the shop has noted a later moment */
  async function sendReport(): Promise<Moment> {
    const sentAt = time.moment();
    const state = await host.report();
    const drift = [...driftWith(state.drift, saved, tombstones, time.now()), ...diskDrift()];
    const { wall } = sentAt;
    const body = { revision: appliedRevision, ...versions, ...state, drift, time: wall.toISOString() };
    const shopTime = await withCertificateFallback(() => shop.report(body));
    await host.acknowledgeUsage(state.usage);
    return { ...sentAt, shop: shopTime };
  }

  /**
   * Gets a new certificate in the last ten days of the one before, and shows it once the disk has it: then the shop ends the one
   * before, by which an agent that starts again would not be believed. On its last day it ends anyway.
   */
  async function renew(): Promise<void> {
    if (renewalIsDue(nextIdentity, time.now())) nextIdentity = await renewed(identity, shop);
    if (nextIdentity !== identity || identityDisk.unsaved()) identityDisk.save(nextIdentity);
    if (nextIdentity === identity || (identityDisk.unsaved() && !isLastDay(identity, time.now()))) return;
    useIdentity(nextIdentity);
    log('certificateRenewed');
  }

  /** The request that waits for a change breaks off and is made again with this certificate. */
  function useIdentity(next: Identity): void {
    shop.close();
    identity = next;
    nextIdentity = next;
    shop = connect(identity);
  }

  /** One that does not know the certificate may be older than it, after a backup: the next call shows the other one. */
  async function withCertificateFallback<T>(call: () => Promise<T>): Promise<T> {
    const used = shop;
    try {
      return await call();
    } catch (error) {
      const other = otherPair(identity);
      const unknown = error instanceof ShopRefused && error.status === UNKNOWN;
      if (unknown && other && used === shop) {
        log('certificateUnknown');
        useIdentity(other);
      }
      throw error;
    }
  }

  /** Paid time ends, and sets become too old, with nobody saying so. */
  async function applyExpired(): Promise<void> {
    if (saved && applied && !fenced && wanted(saved).subscriptions.length !== applied.subscriptions.length)
      await applySaved();
  }

  async function reconcile(): Promise<void> {
    await Promise.race([reconcileSignal.promise, pause(RECONCILE_MS)]);
    reconcileSignal = Promise.withResolvers();
    if (time.moved()) {
      log('clockSet');
      reportSoon();
    }
    try {
      if (await host.reconcile()) reportSoon();
      await applyExpired();
    } catch (error) {
      reconcileSoon();
      throw error;
    }
  }

  return {
    reportSoon,
    reconcileSoon,
    reconcileAfterChange,
    /** Resolves after the signal has been given. */
    async run(): Promise<void> {
      await Promise.all([
        forever('ask', pollAndApply),
        forever('report', report),
        forever('look', reconcile),
      ]);
      shop.close();
    },
  };
}
