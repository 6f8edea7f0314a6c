import { setTimeout as sleep } from 'node:timers/promises';
import { type Identity, identify } from '@fixpoint/agent/identity.ts';
import { createShop, type Shop } from '@fixpoint/agent/shop.ts';
import type { DesiredSet } from '@fixpoint/contract/agent.ts';

/**
 * A VPN host without a tunnel: enrols and speaks with the real agent's client over mTLS, and says that whatever it is
 * given runs. `hold` makes it stay silent about new subscriptions.
 */
export type FakeHost = {
  identity: Identity;
  shop: Shop;
  /** The set that it was given last. */
  set(): DesiredSet | undefined;
  hold(on: boolean): void;
  stop(): Promise<void>;
};

export async function startFakeHost(socketPath: string, token: string): Promise<FakeHost> {
  let saved: Identity | undefined;
  const file = {
    load: () => saved,
    save: (identity: Identity) => {
      saved = identity;
    },
  };
  const identity = await identify(file, { socketPath }, token, new Date());
  const shop = createShop({ socketPath }, identity);
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
      if (held) continue;
      await shop
        .report({
          revision: next.revision,
          agentVersion: 'fake',
          openvpnVersion: 'none',
          subscriptions: next.subscriptions.map(({ id }) => ({ id, state: 'up' as const })),
          usage: [],
        })
        .catch(() => undefined);
    }
  };
  const running = run();
  return {
    identity,
    shop,
    set: () => set,
    hold: on => {
      held = on;
    },
    async stop() {
      stopping.abort();
      shop.close();
      await running;
    },
  };
}
