import { setTimeout as sleep } from 'node:timers/promises';
import { withChanges } from '@fixpoint/agent/effective-set.ts';
import type { ShopAddress } from '@fixpoint/agent/env.ts';
import { type Identity, identify } from '@fixpoint/agent/identity.ts';
import { createShop, FENCED, type Shop, ShopRefused } from '@fixpoint/agent/shop.ts';
import type { Check, DesiredAnswer, DesiredSet, DeviceSeen, Drift } from '@fixpoint/contract/agent.ts';

/**
 * A VPN host without a tunnel. It enrols and uses the real agent's client over mTLS, and reports that everything in its
 * set runs, at once and every minute. `silence` stops its reports.
 */
export type FakeHost = {
  identity: Identity;
  shop: Shop;
  /** The latest desired set that it received. */
  set(): DesiredSet | undefined;
  /** How many full sets it received that do not follow from the previous one. */
  restored(): number;
  /** Whether the shop has answered that another machine is this host, or none. */
  isFenced(): boolean;
  silence(on: boolean): void;
  /** Sets the devices in its answer about a subscription; undefined: it does not answer. */
  setDevices(devices: DeviceSeen[] | undefined): void;
  /** Sets the checks that delivery checks fail; undefined: the checks have not finished. Empty: all pass. */
  failChecks(checks: Check[] | undefined): void;
  /** Sets the addresses of its own machine, which it refuses to bind. */
  setOwnAddresses(addresses: string[]): void;
  /** Sets the drift between its kernel and its set. */
  setDrift(drift: Drift[]): void;
  /** Subscriptions whose process the shop told it to restart. */
  restarted: string[];
  /** Reports now, as after a minute of the shop's clock. */
  report(): Promise<void>;
  stop(): Promise<void>;
};

const REPORT_MS = 60_000;
const RUNS = { state: 'up' as const };

/**
 * @param onAnswer called with each set that the host applies
 * @param pauseMs pause before the next request, by the number of failures in a row
 */
export async function startFakeHost(
  at: ShopAddress,
  token: string,
  onAnswer: (answer: DesiredAnswer) => void = () => undefined,
  pauseMs: (failures: number) => number = () => 20,
): Promise<FakeHost> {
  let saved: Identity | undefined;
  const file = {
    load: () => saved,
    save: (identity: Identity) => {
      saved = identity;
    },
  };
  const identity = await identify(file, at, token, new Date(), () => undefined);
  const shop = createShop(at, identity);
  const stopping = new AbortController();
  let set: DesiredSet | undefined;
  let restored = 0;
  let held = false;
  let ended = false;
  let seen: DeviceSeen[] | undefined = [];
  let unproven: Check[] | undefined = [];
  const restarted: string[] = [];

  const pause = (failures: number) =>
    sleep(pauseMs(failures), undefined, { signal: stopping.signal }).catch(() => undefined);

  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const next = await shop.desired(set?.revision ?? 0, 25, stopping.signal).catch(error => {
        failures += 1;
        return end(error);
      });
      if (!next) {
        // A stopped shop refuses at once: without a pause this loop would spin.
        await pause(failures);
        continue;
      }
      failures = 0;
      if ('questions' in next) {
        for (const { id, subscriptionId, restart } of next.questions) {
          if (restart) restarted.push(subscriptionId);
          if (seen && !held) await shop.answer({ question: id, devices: seen }).catch(() => undefined);
        }
        continue;
      }
      set = 'base' in next ? withChanges(set, next) : next;
      if (next.restored) restored += 1;
      onAnswer(next);
      await report();
    }
  };
  /** Stops and says so when the shop ends this host, unless it is silenced. */
  const end = async (error: unknown) => {
    if (!(error instanceof ShopRefused && error.status === FENCED) || held) return undefined;
    ended = true;
    set = undefined;
    await shop.stopped().catch(() => undefined);
    return undefined;
  };
  let drift: Drift[] = [];
  let own: string[] = [];
  const proven = () => {
    if (!unproven) return { state: 'checking' as const };
    return { ...RUNS, unproven };
  };
  const report = async (failures = 0): Promise<void> => {
    if (held || !set || stopping.signal.aborted) return;
    const isOver = await shop
      .report({
        revision: set.revision,
        agentVersion: 'fake',
        openvpnVersion: 'none',
        subscriptions: set.subscriptions.map(({ id, probe, bindAddress }) => {
          if (own.includes(bindAddress)) return { id, state: 'failed', reason: 'ownAddress' };
          return { id, ...(probe ? proven() : RUNS) };
        }),
        ownAddresses: own,
        drift,
        epoch: 'fake',
        usage: [],
      })
      .then(
        () => true,
        error => error instanceof ShopRefused && error.status < 500,
      );
    if (isOver) return;
    // Like the real agent: repeats a report that a busy shop refused, without waiting for the next set.
    void pause(failures + 1).then(() => report(failures + 1));
  };
  const beat = setInterval(() => void report(), REPORT_MS);
  const running = run();
  return {
    identity,
    shop,
    set: () => set,
    restored: () => restored,
    isFenced: () => ended,
    silence: on => {
      held = on;
    },
    setDevices: devices => {
      seen = devices;
    },
    failChecks: checks => {
      unproven = checks;
    },
    setOwnAddresses: addresses => {
      own = addresses;
    },
    setDrift: found => {
      drift = found;
    },
    restarted,
    report: () => report(),
    async stop() {
      stopping.abort();
      clearInterval(beat);
      shop.close();
      await running;
    },
  };
}
