import { setTimeout as sleep } from 'node:timers/promises';
import type {
  DesiredAnswer,
  DesiredSet,
  Drift,
  HostQuestion,
  HostQuestions,
} from '@fixpoint/contract/agent.ts';
import type { Moment, Time } from './clock.ts';
import { driftWith, endedAfter, withoutEnded } from './ended.ts';
import type { Host } from './host.ts';
import { fingerprintOf, type Identity, isLastDay, otherPair, renewalIsDue, renewed } from './identity.ts';
import { emptied, inForce, isStale, withChanges } from './in-force.ts';
import { faultWord, type Log } from './log.ts';
import { EMPTY } from './plan.ts';
import type { SavedSet } from './saved-set.ts';
import { ENDED, type Shop, ShopRefused, UNKNOWN } from './shop.ts';
import { type StateFile, saver } from './state-file.ts';

const LOOK_MS = 10_000;
/** After a change, whoever has made it, it is looked whether the host is what was asked. */
const AFTER_MS = 1000;
const REPORT_MS = 60_000;
/** The shop holds an unchanged request for this long (contract: 25 at most). */
const WAIT_SECONDS = 25;
/** So long an agent that has just started waits for the shop before it serves by the set that it finds. */
const FIRST_MS = 2000;
const MAX_PAUSE_MS = 10_000;

/** It is written when so much of the set's greatest age has passed: a restart makes it seem older by that. */
const WRITTEN_PART = 0.02;

/** By so much the clock on the wall goes otherwise than the shop's before that is written down. */
const WALL_SET_MS = 60_000;

const wallOff = ({ wall, shop }: Moment): number => wall.getTime() - shop.getTime();

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
  let newest = identity;
  const identityDisk = saver(identityFile, 'identity', log);
  let shop = connect(identity);
  let wake = Promise.withResolvers<void>();
  let stir = Promise.withResolvers<void>();

  /** A set of another host would open this one to strangers: a disk that was copied, a shop that mixes hosts up. */
  const isOwn = (set: DesiredSet): boolean => set.hostId === identity.hostId;

  function restored(): SavedSet | undefined {
    const file = setFile.load();
    return file && file.authority === fingerprintOf(identity.ca) && isOwn(file.set) ? file : undefined;
  }

  const found = restored();
  let saved = found?.set;
  let over = found?.ended ?? [];
  /** When the last report that the shop has answered was sent. */
  let heardAt = found?.heardAt ?? time.moment();
  time.hear(heardAt);
  let written = heardAt;
  const disk = saver(setFile, 'set', log);
  /** The set was too old: it may be another host's by now, until the shop has said that it is not. */
  let stale = false;
  /** Another machine is this host, or none any more. */
  let ended = false;
  /** What the host runs, as far as it is known. */
  let applied: DesiredSet | undefined;
  let appliedRevision = 0;

  /** The newest state is sent soon, not at the next full minute. */
  const reportSoon = () => wake.resolve();
  /** The host is looked at now, not at the next reading of its counters. */
  const lookSoon = () => stir.resolve();

  let looksAfter = false;
  /** The host is looked at when what is just being changed is over: of much that goes at once one look is enough. */
  function lookAfter(): void {
    if (looksAfter) return;
    looksAfter = true;
    void pause(AFTER_MS).then(() => {
      looksAfter = false;
      lookSoon();
    });
  }

  function save(set: DesiredSet): void {
    saved = set;
    disk.save({ authority: fingerprintOf(identity.ca), heardAt, set, ended: over });
    written = heardAt;
  }

  /**
   * Takes a set that is newer than the last one. Saved first: a crash half way must not bring back a removed key. One that
   * cannot be saved is taken all the same: its removed keys would go on logging in otherwise.
   */
  function take(answer: DesiredAnswer): void {
    if (!isOwn(answer)) log('setOfAnotherHost');
    else if (saved && answer.revision <= saved.revision) log('olderRevision', { revision: answer.revision });
    else {
      const next = 'base' in answer ? withChanges(saved, answer) : answer;
      if (next.restored) log('shopRestored', { revision: next.revision });
      over = endedAfter(over, saved, next, time.now());
      save(next);
    }
  }

  /** What of the saved set is to run now: nothing of one that is too old, and nothing that is paid no more. */
  function wanted(set: DesiredSet): DesiredSet {
    if (!stale && isStale(set, time.since(heardAt))) {
      stale = true;
      log('setTooOld');
    }
    return stale ? emptied(set) : inForce(withoutEnded(set, over, time.now()), time.now());
  }

  async function applySaved(): Promise<void> {
    if (!saved || ended) return;
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
    lookAfter();
  }

  /** This machine is told to end: its tunnels go, with what it knows of its customers, and it says so. */
  async function end(): Promise<void> {
    if (!ended) log('ended');
    ended = true;
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
  async function askFirst(): Promise<void> {
    isFirst = false;
    try {
      const toldAt = isStaleNow() ? await tell() : undefined;
      follow(await asked(0, AbortSignal.any([signal, AbortSignal.timeout(FIRST_MS)])));
      if (toldAt) heard(toldAt);
    } catch (error) {
      if (!signal.aborted) log('askFailed', { fault: word(error) });
    }
  }

  /**
   * The saved set then, without the shop: a host that restarts alone serves its customers. It is also how a change
   * that broke off is tried again; the shop is asked meanwhile, for its next set may be the cure.
   */
  async function ask(): Promise<void> {
    if (isFirst) await askFirst();
    const fault = await applySaved().then(
      () => undefined,
      (error: Error) => error,
    );
    if (fault) reportSoon();
    // A set that was too old is in force again when the shop, which knows of this host again, has nothing newer.
    const known = !isStaleNow();
    const answer = await asked(fault || stale ? 0 : WAIT_SECONDS);
    if (known) stale = false;
    else reportSoon();
    if (answer) follow(answer);
    else if (fault) throw fault;
    // A shop that answers at once instead of holding the request must not be asked in a tight loop.
    else await pause(100);
    await applySaved();
  }

  function follow(answer: DesiredAnswer | HostQuestions | undefined): void {
    if (answer && 'questions' in answer) for (const question of answer.questions) void say(question);
    else if (answer) take(answer);
  }

  /** Beside everything else: a customer waits for the answer, and a change of keys must not wait for him. */
  async function say({ id, subscriptionId, restart }: HostQuestion): Promise<void> {
    try {
      const devices = await host.devices(subscriptionId, restart);
      if (devices) await shop.answer({ question: id, devices });
    } catch (error) {
      log('notAnswered', { fault: word(error) });
    }
  }

  const isStaleNow = () => saved !== undefined && isStale(saved, time.since(heardAt));

  async function asked(
    waitSeconds: number,
    until = signal,
  ): Promise<DesiredAnswer | HostQuestions | undefined> {
    try {
      return await asKnown(() => shop.desired(saved?.revision ?? 0, waitSeconds, until));
    } catch (error) {
      if (error instanceof ShopRefused && error.status === ENDED) await end();
      throw error;
    }
  }

  /**
   * The shop has heard of this host. A clock on the wall that was set is written down: a start would count by it. What the disk
   * did not take is tried again.
   */
  function heard(sentAt: Moment): void {
    const older = time.since(written) - time.since(sentAt);
    const wallSet = Math.abs(wallOff(sentAt) - wallOff(written)) >= WALL_SET_MS;
    heardAt = sentAt;
    time.hear(sentAt);
    if (saved && (disk.unsaved() || wallSet || older > saved.leaseSeconds * 1000 * WRITTEN_PART)) save(saved);
  }

  /** Started again without the shop, this host would let in what was deleted since the disk took a set. */
  const diskDrift = (): Drift[] => (disk.unsaved() ? [{ what: 'savedSet', more: 0, missing: 1 }] : []);

  async function report(): Promise<void> {
    await Promise.race([wake.promise, pause(REPORT_MS)]);
    wake = Promise.withResolvers();
    if (signal.aborted || ended) return;
    try {
      heard(await tell());
    } catch (error) {
      reportSoon();
      throw error;
    }
    await renew();
  }

  /** @returns when that was: the shop has noted a later moment */
  async function tell(): Promise<Moment> {
    const sentAt = time.moment();
    const said = await host.report();
    const drift = [...driftWith(said.drift, saved, over, time.now()), ...diskDrift()];
    const { wall } = sentAt;
    const news = { revision: appliedRevision, ...versions, ...said, drift, time: wall.toISOString() };
    const shopTime = await asKnown(() => shop.report(news));
    await host.told(said.usage);
    return { ...sentAt, shop: shopTime };
  }

  /**
   * Gets a new certificate in the last ten days of the one before, and shows it once the disk has it: then the shop ends the one
   * before, by which an agent that starts again would not be believed. On its last day it ends anyway.
   */
  async function renew(): Promise<void> {
    if (renewalIsDue(newest, time.now())) newest = await renewed(identity, shop);
    if (newest !== identity || identityDisk.unsaved()) identityDisk.save(newest);
    if (newest === identity || (identityDisk.unsaved() && !isLastDay(identity, time.now()))) return;
    speakAs(newest);
    log('certificateRenewed');
  }

  /** The request that waits for a change breaks off and is made again with this certificate. */
  function speakAs(next: Identity): void {
    shop.close();
    identity = next;
    newest = next;
    shop = connect(identity);
  }

  /** One that does not know the certificate may be older than it, after a backup: the next call shows the other one. */
  async function asKnown<T>(call: () => Promise<T>): Promise<T> {
    const asked = shop;
    try {
      return await call();
    } catch (error) {
      const other = otherPair(identity);
      const unknown = error instanceof ShopRefused && error.status === UNKNOWN;
      if (unknown && other && asked === shop) {
        log('certificateUnknown');
        speakAs(other);
      }
      throw error;
    }
  }

  /** Paid time ends, and sets become too old, with nobody saying so. */
  async function outdated(): Promise<void> {
    if (saved && applied && !ended && wanted(saved).subscriptions.length !== applied.subscriptions.length)
      await applySaved();
  }

  async function look(): Promise<void> {
    await Promise.race([stir.promise, pause(LOOK_MS)]);
    stir = Promise.withResolvers();
    if (time.moved()) {
      log('clockSet');
      reportSoon();
    }
    try {
      if (await host.look()) reportSoon();
      await outdated();
    } catch (error) {
      lookSoon();
      throw error;
    }
  }

  return {
    reportSoon,
    lookSoon,
    lookAfter,
    /** Resolves after the signal has been given. */
    async run(): Promise<void> {
      await Promise.all([forever('ask', ask), forever('report', report), forever('look', look)]);
      shop.close();
    },
  };
}
