import { setTimeout as sleep } from 'node:timers/promises';
import { withChanges } from '@fixpoint/agent/effective-set.ts';
import type { ShopAddress } from '@fixpoint/agent/env.ts';
import { type Identity, identify } from '@fixpoint/agent/identity.ts';
import { createShop, FENCED, type Shop, ShopRefused } from '@fixpoint/agent/shop.ts';
import type { Check, DesiredAnswer, DesiredSet, DeviceSeen, Drift } from '@fixpoint/contract/agent.ts';

/**
 * A VPN host without a tunnel: enrols and speaks with the real agent's client over mTLS, and says that whatever it is
 * given runs, at once and every minute. `hold` makes it stay silent.
 */
export type FakeHost = {
  identity: Identity;
  shop: Shop;
  /** The set that it was given last. */
  set(): DesiredSet | undefined;
  /** How often it was told that a set does not follow from the one before. */
  restored(): number;
  /** Whether it was told that another machine is this host, or none. */
  ended(): boolean;
  hold(on: boolean): void;
  /** What it says when it is asked for a subscription's devices; undefined: nothing. */
  sees(devices: DeviceSeen[] | undefined): void;
  /** What probes cannot show from now on; undefined: they are not through yet. None: all is well. */
  unproven(checks: Check[] | undefined): void;
  /** Addresses of its machine from now on: it refuses to bind them. */
  owns(addresses: string[]): void;
  /** Where its kernel is unlike its set from now on. */
  drifts(drift: Drift[]): void;
  /** Subscriptions whose process it was to restart. */
  restarted: string[];
  /** Says it now: a minute of the shop's clock has passed. */
  report(): Promise<void>;
  stop(): Promise<void>;
};

const REPORT_MS = 60_000;
const RUNS = { state: 'up' as const };

/**
 * @param given told each answer that it takes over
 * @param pauseMs how long it waits before it asks again; after so many failures in a row
 */
export async function startFakeHost(
  at: ShopAddress,
  token: string,
  given: (answer: DesiredAnswer) => void = () => undefined,
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
        // A shop that is gone answers at once: this loop must not spin.
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
      given(next);
      await report();
    }
  };
  /** Told that it is no host any more, it stops and says so, unless it is held. */
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
    // As the real one: what a busy shop has not taken is said again soon, and the next set does not wait for it.
    void pause(failures + 1).then(() => report(failures + 1));
  };
  const beat = setInterval(() => void report(), REPORT_MS);
  const running = run();
  return {
    identity,
    shop,
    set: () => set,
    restored: () => restored,
    ended: () => ended,
    hold: on => {
      held = on;
    },
    sees: devices => {
      seen = devices;
    },
    unproven: checks => {
      unproven = checks;
    },
    owns: addresses => {
      own = addresses;
    },
    drifts: found => {
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
