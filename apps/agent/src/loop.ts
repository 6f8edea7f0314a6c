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
/** Delay between a change and the reconciliation that verifies it. */
const AFTER_CHANGE_MS = 1000;
const REPORT_MS = 60_000;
/** Long-poll duration in seconds (contract: 25 at most). */
const WAIT_SECONDS = 25;
/** Time that a starting agent waits for the shop before it applies the saved set. */
const FIRST_POLL_MS = 2000;
const MAX_PAUSE_MS = 10_000;

/**
 * Fraction of the lease after which the contact time is saved again. After a restart the saved time
 * may be too old by that much.
 */
const SAVE_FRACTION = 0.02;

/** Change of the difference between system clock and shop clock that is saved at once. */
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

/**
 * Returns the delay before the next attempt in ms: exponential, with jitter so that hosts do not
 * retry in step.
 */
export const pauseMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(MAX_PAUSE_MS, 250 * 2 ** failures) * (0.5 + random() / 2);

const word = (error: unknown): string =>
  error instanceof ShopRefused ? `status${error.status}` : faultWord(error);

/** Runs the agent's three loops: poll and apply, report, reconcile. They end with the signal. */
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
  /** The identity to use next. It differs from `identity` until the disk has stored it. */
  let nextIdentity = identity;
  const identityDisk = saver(identityFile, 'identity', log);
  let shop = connect(identity);
  let reportSignal = Promise.withResolvers<void>();
  let reconcileSignal = Promise.withResolvers<void>();

  /**
   * Guards against a copied disk or a shop that mixes up hosts: another host's set would let
   * strangers in.
   */
  const isOwn = (set: DesiredSet): boolean => set.hostId === identity.hostId;

  function restored(): SavedSet | undefined {
    const file = setFile.load();
    return file && file.authority === fingerprintOf(identity.ca) && isOwn(file.set) ? file : undefined;
  }

  const found = restored();
  let saved = found?.set;
  let tombstones = found?.ended ?? [];
  /** Send time of the last report that the shop has answered. */
  let heardAt = found?.heardAt ?? time.moment();
  time.hear(heardAt);
  let savedAt = heardAt;
  const disk = saver(setFile, 'set', log);
  /** The lease has expired: another host may serve the set until the shop confirms this one. */
  let stale = false;
  /** The shop has fenced this machine: another one serves its host id, or none does. */
  let fenced = false;
  /** The set that the host runs, as far as known. */
  let applied: DesiredSet | undefined;
  let appliedRevision = 0;

  /** Triggers a report now instead of at the next full minute. */
  const reportSoon = () => reportSignal.resolve();
  /** Triggers a reconciliation now. */
  const reconcileSoon = () => reconcileSignal.resolve();

  let reconcilePending = false;
  /** Schedules one reconciliation after a change; many events at once share it. */
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

  /**
   * Stops all tunnels of a fenced machine, deletes what it knows of customers, and confirms to the
   * shop.
   */
  async function stopServing(): Promise<void> {
    if (!fenced) log('ended');
    fenced = true;
    // Tunnels may run even if no set is known, for example when the disk is unreadable.
    await host.apply(saved ? emptied(saved) : EMPTY);
    if (saved) save({ ...saved, subscriptions: [] });
    // After a restart without the shop, the saved set would run in parallel with the next host.
    if (disk.unsaved()) throw new Error('the disk still has the set');
    await shop.stopped();
    log('stopped');
    // Waits for the operator, who removes the agent or enrols this machine again.
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
  }

  /**
   * Repeats a step until the signal. Logs a failure by its error code and retries after a delay.
   */
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
   * Asks the shop before the saved set is applied: a restored disk may list deleted keys. If the
   * shop does not answer, the saved set runs. A set past its lease is valid again once the shop has
   * received a report and has nothing newer.
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
   * Applies the saved set and polls for the next one. A host that restarts without the shop still
   * serves its customers; a failed change is retried while the shop is asked for a newer set.
   */
  async function pollAndApply(): Promise<void> {
    if (isFirst) await pollAtStart();
    const fault = await applySaved().then(
      () => undefined,
      (error: Error) => error,
    );
    if (fault) reportSoon();
    // A set past its lease is valid again once the shop, after a report, has nothing newer.
    const known = !isStaleNow();
    const answer = await poll(fault || stale ? 0 : WAIT_SECONDS);
    if (known) stale = false;
    else reportSoon();
    if (answer) handleAnswer(answer);
    else if (fault) throw fault;
    // Avoids a tight loop when the shop answers at once instead of holding the request.
    else await pause(100);
    await applySaved();
  }

  function handleAnswer(answer: DesiredAnswer | HostQuestions | undefined): void {
    if (answer && 'questions' in answer)
      for (const question of answer.questions) void answerQuestion(question);
    else if (answer) acceptSet(answer);
  }

  /** Not awaited: a customer waits for the answer, and key changes must not wait for it. */
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

  /** @returns the time of sending; the shop has recorded a later one */
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
   * Renews the certificate in its last ten days and uses the new one only after it is saved: the
   * shop then revokes the old one, and an agent restarting with it would be rejected. On the last
   * day it is used in any case.
   */
  async function renew(): Promise<void> {
    if (renewalIsDue(nextIdentity, time.now())) nextIdentity = await renewed(identity, shop);
    if (nextIdentity !== identity || identityDisk.unsaved()) identityDisk.save(nextIdentity);
    if (nextIdentity === identity || (identityDisk.unsaved() && !isLastDay(identity, time.now()))) return;
    useIdentity(nextIdentity);
    log('certificateRenewed');
  }

  /** Aborts the pending poll; it is repeated with this certificate. */
  function useIdentity(next: Identity): void {
    shop.close();
    identity = next;
    nextIdentity = next;
    shop = connect(identity);
  }

  /**
   * Falls back to the other certificate if the shop does not know this one (it may have been
   * restored from a backup). The failed call is not repeated here.
   */
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

  /** Applies the end of paid time and of the lease, which no message announces. */
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
    /** Resolves after the signal. */
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
