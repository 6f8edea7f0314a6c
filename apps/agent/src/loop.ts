import { setTimeout as sleep } from 'node:timers/promises';
import { type DesiredSet, desiredSet } from '@fixpoint/contract/agent.ts';
import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Host } from './host.ts';
import { fingerprintOf, type Identity, renewalIsDue, renewed } from './identity.ts';
import { faultWord, type Log } from './log.ts';
import { type Shop, ShopRefused } from './shop.ts';
import type { StateFile } from './state-file.ts';

const LOOK_MS = 10_000;
const REPORT_MS = 60_000;
/** The shop holds an unchanged request for this long (contract: 25 at most). */
const WAIT_SECONDS = 25;
const MAX_PAUSE_MS = 10_000;

/**
 * The last set, and whose it is: the fingerprint of the authority that this host trusts. A shop that was set up anew
 * counts its revisions from the start, and its hosts must not wait until it has caught up with the old one.
 */
export const savedSet = z.object({ authority: z.string(), set: desiredSet });

type Versions = { agentVersion: string; openvpnVersion: string };

type Parts = {
  host: Host;
  identity: Identity;
  identityFile: StateFile<Identity>;
  setFile: StateFile<z.infer<typeof savedSet>>;
  connect: (identity: Identity) => Shop;
  versions: Versions;
  clock: Clock;
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
  clock,
  log,
  signal,
  ...parts
}: Parts) {
  let identity = parts.identity;
  let shop = connect(identity);
  let wake = Promise.withResolvers<void>();
  let stir = Promise.withResolvers<void>();

  /** A set of another host would open this one to strangers: a disk that was copied, a shop that mixes hosts up. */
  const isOwn = (set: DesiredSet): boolean => set.hostId === identity.hostId;

  function restored(): DesiredSet | undefined {
    const file = setFile.load();
    return file && file.authority === fingerprintOf(identity.ca) && isOwn(file.set) ? file.set : undefined;
  }

  let saved = restored();
  let applied = false;
  let appliedRevision = 0;

  /** The newest state is sent soon, not at the next full minute. */
  const reportSoon = () => wake.resolve();
  /** The host is looked at now, not at the next reading of its counters. */
  const lookSoon = () => stir.resolve();

  /** Takes a set that is newer than the last one. Saved first: a crash half way must not bring back a removed key. */
  function take(set: DesiredSet): void {
    if (!isOwn(set)) log('setOfAnotherHost');
    else if (saved && set.revision <= saved.revision) log('olderRevision', { revision: set.revision });
    else {
      setFile.save({ authority: fingerprintOf(identity.ca), set });
      saved = set;
      applied = false;
    }
  }

  async function applySaved(): Promise<void> {
    if (!saved || applied) return;
    const { revision, subscriptions } = saved;
    await host.apply(saved);
    applied = true;
    appliedRevision = revision;
    log('applied', { revision, subscriptions: subscriptions.length });
    reportSoon();
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

  /**
   * The saved set first, without the shop: a host that restarts alone serves its customers. It is also how a change
   * that broke off is tried again; the shop is asked meanwhile, for its next set may be the cure.
   */
  async function ask(): Promise<void> {
    const fault = await applySaved().then(
      () => undefined,
      (error: Error) => error,
    );
    if (fault) reportSoon();
    const set = await shop.desired(saved?.revision ?? 0, fault ? 0 : WAIT_SECONDS, signal);
    if (set) take(set);
    else if (fault) throw fault;
    // A shop that answers at once instead of holding the request must not be asked in a tight loop.
    else await pause(100);
    await applySaved();
  }

  async function report(): Promise<void> {
    await Promise.race([wake.promise, pause(REPORT_MS)]);
    if (signal.aborted) return;
    wake = Promise.withResolvers();
    try {
      const said = await host.report();
      await shop.report({ revision: appliedRevision, ...versions, ...said });
      await host.told(said.usage);
    } catch (error) {
      reportSoon();
      throw error;
    }
    if (renewalIsDue(identity, clock())) await renew();
  }

  async function renew(): Promise<void> {
    identity = await renewed(identity, shop);
    identityFile.save(identity);
    // The request that waits for a change breaks off and is made again with the new certificate.
    shop.close();
    shop = connect(identity);
    log('certificateRenewed');
  }

  async function look(): Promise<void> {
    await Promise.race([stir.promise, pause(LOOK_MS)]);
    stir = Promise.withResolvers();
    try {
      await host.look();
    } catch (error) {
      lookSoon();
      throw error;
    }
  }

  return {
    reportSoon,
    lookSoon,
    /** Resolves after the signal has been given. */
    async run(): Promise<void> {
      await Promise.all([forever('ask', ask), forever('report', report), forever('look', look)]);
      shop.close();
    },
  };
}
