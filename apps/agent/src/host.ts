import { isDeepStrictEqual } from 'node:util';
import type { DesiredSubscription, DeviceSeen, Drift, HostReport } from '@fixpoint/contract/agent.ts';
import type { Clock } from './clock.ts';
import { createConvergence } from './converge.ts';
import { type DeliveryCheck, withProbes } from './delivery-check.ts';
import type { Log } from './log.ts';
import { EMPTY, type HostSet, plan, withoutConflicts, withoutOwn } from './plan.ts';
import type { Nat, Netdev, Relay, Shaper, TunnelState, VpnDaemon } from './ports/host.ts';
import { createUsageCounter } from './usage-counter.ts';
import type { UsageFiles } from './usage-files.ts';

type Parts = {
  netdev: Netdev;
  nat: Nat;
  shaper: Shaper;
  daemon: VpnDaemon;
  relay: Relay;
  deliveryCheck: DeliveryCheck;
  usageFiles: UsageFiles;
  /** Returns the name of a new usage count when no stored one exists (contract, `epoch`). */
  newEpoch: () => string;
  clock: Clock;
  log: Log;
  /** Called whenever a step finishes. The watchdog restarts an agent that makes no progress. */
  alive: () => void;
};

export type Host = {
  /** Converges the host to exactly this set. Idempotent. @throws Error when the kernel refuses */
  apply(set: HostSet): Promise<void>;
  /**
   * Reads the byte counters into the day's totals and repairs drift.
   * @returns whether the shop needs a new report
   */
  reconcile(): Promise<boolean>;
  /**
   * Returns the state to report. Waits for a change in progress, so that no half-applied state is
   * reported.
   */
  report(): Promise<Pick<HostReport, 'subscriptions' | 'ownAddresses' | 'drift' | 'epoch' | 'usage'>>;
  /**
   * Returns the current connection outcomes of a subscription's devices; undefined when another
   * host serves it.
   * @param restart restarts its process first
   */
  devices(subscriptionId: string, restart: boolean): Promise<DeviceSeen[] | undefined>;
  /** Drops usage rows that the shop has stored. */
  acknowledgeUsage(usage: HostReport['usage']): Promise<void>;
  /** Reconciles a last time and saves the usage totals before the agent exits. */
  end(): Promise<void>;
};

/**
 * Keeps the host at a desired set: applies changes, repairs drift, counts bytes and reports the
 * state. `converge.ts` holds the order of steps.
 */
export function createHost({
  netdev,
  nat,
  shaper,
  daemon,
  relay,
  deliveryCheck,
  usageFiles,
  newEpoch,
  clock,
  log,
  alive,
}: Parts): Host {
  const usage = createUsageCounter({ netdev, nat, usageFiles, newEpoch, clock });
  const { change, rebuild } = createConvergence({ netdev, nat, shaper, daemon, relay, usage, alive });
  const firewallReady = () => {
    firewall = true;
  };
  /**
   * The set that the host runs; undefined when unknown (agent just started, or a change failed
   * half-way).
   */
  let current: HostSet | undefined;
  /** The set of the last call to `apply`. */
  let requested: HostSet = EMPTY;
  /** The part of `requested` that can run here. */
  let runnable: HostSet = EMPTY;
  /**
   * Subscriptions that cannot run: they conflict with another one, or use an address of the machine
   * itself.
   */
  let conflicting: string[] = [];
  let onOwnAddress: string[] = [];
  /**
   * Addresses by which the machine itself reaches the internet; undefined until the first check.
   */
  let own: string[] | undefined;
  /**
   * A change made after `own` changed has failed. No call to `apply` retries it, so the next
   * reconciliation does.
   */
  let retryPending = false;
  /** Difference between the kernel and the set at the last check. */
  let drift: Drift[] = [];
  /** Routes missing in the relay at the last update. */
  let relayDrift: Drift[] = [];
  /** False while the firewall table is incomplete; nothing passes without it. */
  let firewall = true;
  let last: Promise<unknown> = Promise.resolve();

  /**
   * Serializes work: a counter reading between two steps of a change would miss or double counters.
   */
  function withLock<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work);
    last = run.catch(() => undefined).then(alive);
    return run;
  }

  /** Converges the host to the part of the set that can run here. */
  async function converge(set: HostSet): Promise<void> {
    const known = current;
    current = undefined;
    const machine = own ?? [];
    const placed = withoutOwn(set, machine);
    const { usable, refused } = withoutConflicts(withProbes(placed.usable));
    [requested, runnable, conflicting, onOwnAddress] = [set, usable, refused, placed.refused];
    if (onOwnAddress.length > 0) log('ownAddress', { refused: onOwnAddress.length, own: machine.join() });
    if (known) await change(plan(known, usable), usable, onOwnAddress);
    else await rebuild(usable, onOwnAddress, firewallReady);
    current = usable;
    retryPending = false;
    deliveryCheck.track(usable.subscriptions);
  }

  /**
   * Re-evaluates the set when the machine's own addresses change. An unreachable machine would
   * never receive another set.
   */
  async function checkOwnAddresses(): Promise<void> {
    const found = await netdev.own();
    own = found;
    await withLock(async () => {
      const isUpToDate = isDeepStrictEqual(withoutOwn(requested, found).refused, onOwnAddress);
      if (current ? isUpToDate : !retryPending) return;
      retryPending = true;
      await converge(requested);
    });
  }

  const driftNow = async (set: HostSet): Promise<Drift[]> =>
    (await Promise.all([netdev, nat, shaper, daemon].map(part => part.drift(set)))).flat();

  /**
   * Repairs drift that still exists; the first observation may have been in the middle of a change.
   */
  async function repairDrift(): Promise<void> {
    const set = current;
    // A failed change is retried by its caller.
    if (!set) return;
    drift = [];
    const seen = await driftNow(set);
    if (seen.length === 0) return;
    log('drift', { what: seen.map(({ what, more, missing }) => `${what} +${more} -${missing}`).join() });
    // The set stays known if this fails; the next reconciliation sees the remaining drift.
    try {
      await rebuild(set, onOwnAddress, firewallReady);
    } finally {
      // Reports only what remains of the drift seen before; anything newer is checked next time.
      const left = await driftNow(set);
      drift = left.filter(({ what }) => seen.some(one => one.what === what));
    }
  }

  /**
   * Checking also repairs the relay. Outside the lock: an unresponsive relay would delay key
   * deletion.
   */
  async function checkRelay(): Promise<void> {
    // Before the first change the relay has no routes, and updating it would stop it.
    if (!current) return;
    relayDrift = await relay.drift();
    if (relayDrift.length > 0) log('drift', { what: 'relay' });
  }

  async function forgetDisconnected(): Promise<void> {
    await daemon.forget(runnable.subscriptions, gone => nat.forget([gone]));
    // Retries deletions that failed earlier, even when nobody else disconnects.
    await nat.forget([]);
  }

  async function reconcileKernel(): Promise<void> {
    await withLock(async () => {
      if (!(await usage.read())) await repairFirewall();
    });
    await checkOwnAddresses();
    // Outside the lock: an unresponsive server takes ten seconds, and key deletion must not wait.
    // Unresponsive servers are killed first, or every later check would wait for them.
    if (current) await daemon.killUnresponsive();
    const seen = current ? await driftNow(current) : [];
    if (seen.length > 0) await withLock(repairDrift);
    else drift = [];
  }

  const allDrift = (): Drift[] => [...drift, ...relayDrift];

  async function repairFirewall(): Promise<void> {
    firewall = false;
    await nat.reset(runnable);
    firewall = true;
    log('firewallRebuilt');
  }

  function stateOf(s: DesiredSubscription): TunnelState {
    // After a failed change the running state is unknown.
    if (!current) return { state: 'failed', reason: 'applyFailed' };
    if (!firewall) return { state: 'failed', reason: 'firewallMissing' };
    const server = daemon.state(s.slot);
    return server.state === 'up' ? deliveryCheck.state(s) : server;
  }

  const states = (): HostReport['subscriptions'] => [
    ...runnable.subscriptions.map(s => ({ id: s.id, ...stateOf(s) })),
    ...conflicting.map(id => ({ id, state: 'failed' as const, reason: 'conflict' })),
    ...onOwnAddress.map(id => ({ id, state: 'failed' as const, reason: 'ownAddress' })),
  ];

  async function reconcile(): Promise<boolean> {
    const reportable = () => JSON.stringify([allDrift(), onOwnAddress, own]);
    const before = reportable();
    try {
      await reconcileKernel();
    } finally {
      // Also when the kernel refuses: customers' traces must not wait for a repair.
      await Promise.all([forgetDisconnected(), checkRelay()]);
    }
    return reportable() !== before;
  }

  return {
    apply: set =>
      withLock(async () => {
        const runs = new Set(current?.subscriptions.map(({ bindAddress }) => bindAddress));
        // At start and before a new address. A deletion waits for nothing.
        if (!current || set.subscriptions.some(({ bindAddress }) => !runs.has(bindAddress)))
          own = await netdev.own();
        await converge(set);
      }),

    reconcile,

    report: () =>
      withLock(async () => {
        const runs = new Set(current?.subscriptions.flatMap(s => s.keys.map(({ id }) => id)));
        // While the running set is unknown, no key counts as removed.
        const used = usage.report(id => !current || runs.has(id));
        return {
          subscriptions: states(),
          // Omitted until the first check, so that the shop keeps the last known value.
          ...(own && { ownAddresses: own }),
          drift: allDrift(),
          ...used,
        };
      }),

    async devices(subscriptionId, restart) {
      const s = runnable.subscriptions.find(({ id }) => id === subscriptionId);
      if (s && restart) await daemon.restart(s.slot);
      return s && daemon.devices(s);
    },

    acknowledgeUsage: rows => withLock(async () => usage.acknowledge(rows)),

    async end() {
      try {
        await reconcile();
      } finally {
        usage.flush();
      }
    },
  };
}
