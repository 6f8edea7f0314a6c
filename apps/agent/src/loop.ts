import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredAnswer, DesiredSet, HostQuestion, HostQuestions } from '@fixpoint/contract/agent.ts';
import type { Moment, Time } from './clock.ts';
import { emptied } from './effective-set.ts';
import type { Host } from './host.ts';
import type { Identity } from './identity.ts';
import { faultWord, type Log } from './log.ts';
import { EMPTY } from './plan.ts';
import type { SavedSet } from './saved-set.ts';
import { createSetStore } from './set-store.ts';
import { FENCED, type Shop, ShopRefused } from './shop.ts';
import { createShopLink } from './shop-link.ts';
import type { StateFile } from './state-file.ts';

const RECONCILE_MS = 10_000;
/** Delay between a change and the reconciliation that verifies it. */
const AFTER_CHANGE_MS = 1000;
const REPORT_MS = 60_000;
/** Long-poll duration in seconds (contract: 25 at most). */
const WAIT_SECONDS = 25;
/** Time that a starting agent waits for the shop before it applies the saved set. */
const FIRST_POLL_MS = 2000;
const MAX_PAUSE_MS = 10_000;

type Versions = { agentVersion: string; openvpnVersion: string };

type Parts = {
  host: Host;
  identity: Identity;
  identityFile: StateFile<Identity>;
  setFile: StateFile<SavedSet>;
  runningSetFile: StateFile<SavedSet>;
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
  runningSetFile,
  connect,
  versions,
  time,
  log,
  signal,
  ...parts
}: Parts) {
  const link = createShopLink({ identity: parts.identity, identityFile, connect, time, log });
  const store = createSetStore({ setFile, runningSetFile, identity: link.identity, time, log });
  let reportSignal = Promise.withResolvers<void>();
  let reconcileSignal = Promise.withResolvers<void>();

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

  async function applySaved(): Promise<void> {
    const saved = store.set();
    if (!saved || fenced) return;
    const set = store.wanted(saved);
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
    const saved = store.set();
    await host.apply(saved ? emptied(saved) : EMPTY);
    store.clear();
    await link.shop().stopped();
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
      const reportedAt = store.leaseExpired() ? await sendReport() : undefined;
      handleAnswer(await poll(0, AbortSignal.any([signal, AbortSignal.timeout(FIRST_POLL_MS)])));
      if (reportedAt) store.recordContact(reportedAt);
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
    const known = !store.leaseExpired();
    const answer = await poll(fault || store.isExpired() ? 0 : WAIT_SECONDS);
    if (known) store.renewLease();
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
    else if (answer) store.accept(answer);
  }

  /** Not awaited: a customer waits for the answer, and key changes must not wait for it. */
  async function answerQuestion({ id, subscriptionId, restart }: HostQuestion): Promise<void> {
    try {
      const devices = await host.devices(subscriptionId, restart);
      if (devices) await link.shop().answer({ question: id, devices });
    } catch (error) {
      log('notAnswered', { fault: word(error) });
    }
  }

  async function poll(
    waitSeconds: number,
    until = signal,
  ): Promise<DesiredAnswer | HostQuestions | undefined> {
    try {
      return await link.call(shop => shop.desired(store.set()?.revision ?? 0, waitSeconds, until));
    } catch (error) {
      if (error instanceof ShopRefused && error.status === FENCED) await stopServing();
      throw error;
    }
  }

  async function report(): Promise<void> {
    await Promise.race([reportSignal.promise, pause(REPORT_MS)]);
    reportSignal = Promise.withResolvers();
    if (signal.aborted || fenced) return;
    try {
      store.recordContact(await sendReport());
    } catch (error) {
      reportSoon();
      throw error;
    }
    await link.renew();
  }

  /** @returns the time of sending; the shop has recorded a later one */
  async function sendReport(): Promise<Moment> {
    const sentAt = time.moment();
    const state = await host.report();
    const drift = store.driftWith(state.drift);
    const { wall } = sentAt;
    const body = { revision: appliedRevision, ...versions, ...state, drift, time: wall.toISOString() };
    const shopTime = await link.call(shop => shop.report(body));
    await host.acknowledgeUsage(state.usage);
    return { ...sentAt, shop: shopTime };
  }

  /** Applies the end of paid time and of the lease, which no message announces. */
  async function applyExpired(): Promise<void> {
    const saved = store.set();
    if (
      saved &&
      applied &&
      !fenced &&
      store.wanted(saved).subscriptions.length !== applied.subscriptions.length
    )
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
      link.close();
    },
  };
}
