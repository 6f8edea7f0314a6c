import { setTimeout as sleep } from 'node:timers/promises';
import type { ShopAddress } from '@fixpoint/agent/env.ts';
import { type Identity, identify } from '@fixpoint/agent/identity.ts';
import { createShop, type Shop } from '@fixpoint/agent/shop.ts';
import type { DesiredSet } from '@fixpoint/contract/agent.ts';

/**
 * A VPN host without a tunnel: enrols and speaks with the real agent's client over mTLS, and says that whatever it is
 * given runs, at once and every minute. `hold` makes it stay silent.
 */
export type FakeHost = {
  identity: Identity;
  shop: Shop;
  /** The set that it was given last. */
  set(): DesiredSet | undefined;
  hold(on: boolean): void;
  /** Says it now: a minute of the shop's clock has passed. */
  report(): Promise<void>;
  stop(): Promise<void>;
};

const REPORT_MS = 60_000;

export async function startFakeHost(at: ShopAddress, token: string): Promise<FakeHost> {
  let saved: Identity | undefined;
  const file = {
    load: () => saved,
    save: (identity: Identity) => {
      saved = identity;
    },
  };
  const identity = await identify(file, at, token, new Date());
  const shop = createShop(at, identity);
  const stopping = new AbortController();
  let set: DesiredSet | undefined;
  let held = false;

  const run = async () => {
    while (!stopping.signal.aborted) {
      const next = await shop.desired(set?.revision ?? 0, 25, stopping.signal).catch(() => undefined);
      if (!next) {
        // A shop that is gone answers at once: this loop must not spin.
        await sleep(20);
        continue;
      }
      set = next;
      await report();
    }
  };
  const report = async () => {
    if (held || !set || stopping.signal.aborted) return;
    await shop
      .report({
        revision: set.revision,
        agentVersion: 'fake',
        openvpnVersion: 'none',
        subscriptions: set.subscriptions.map(({ id }) => ({ id, state: 'up' as const })),
        usage: [],
      })
      .catch(() => undefined);
  };
  const beat = setInterval(report, REPORT_MS);
  const running = run();
  return {
    identity,
    shop,
    set: () => set,
    hold: on => {
      held = on;
    },
    report,
    async stop() {
      stopping.abort();
      clearInterval(beat);
      shop.close();
      await running;
    },
  };
}
