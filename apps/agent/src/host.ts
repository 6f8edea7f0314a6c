import { isDeepStrictEqual } from 'node:util';
import {
  type DesiredKey,
  type DesiredSubscription,
  type DeviceSeen,
  type Drift,
  type HostReport,
  PROBE,
} from '@fixpoint/contract/agent.ts';
import pLimit from 'p-limit';
import type { Clock } from './clock.ts';
import { type DeliveryCheck, withProbes } from './delivery-check.ts';
import { deviceCounters, downCounter, upCounter } from './layout.ts';
import type { Log } from './log.ts';
import { type Changes, EMPTY, type HostSet, plan, withoutConflicts, withoutOwn } from './plan.ts';
import type { Nat, Netdev, Relay, Shaper, TunnelState, VpnDaemon } from './ports/host.ts';
import { bangkokDay, count, newUsage, type Usage, usageRows, withoutReadings, withoutRows } from './usage.ts';
import type { UsageFiles } from './usage-files.ts';

/** Maximum number of processes that start concurrently; more would only wait for the processor. */
const startLimit = pLimit(8);

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

const keyCounters = (s: DesiredSubscription, keys: readonly DesiredKey[]): string[] =>
  keys.flatMap(({ id }) => [downCounter(s, id), upCounter(s, id)]);

/**
 * Turns desired sets into devices, firewall rules, traffic classes and processes, in an order that
 * is safe for customers.
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
  let usage = usageFiles.load() ?? newUsage(newEpoch());
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

  /** @returns whether the firewall is complete */
  async function readUsage(): Promise<boolean> {
    const { bytes, whole } = await nat.read();
    saveUsage(count(usage, new Map([...bytes, ...netdev.bytes()]), bangkokDay(clock())));
    return whole;
  }

  function saveUsage(next: Usage): void {
    usage = next;
    usageFiles.save(usage);
  }

  /**
   * Starts or restarts processes a few at a time, so that each one's clients are offline only for a
   * moment.
   */
  const startAll = (subscriptions: readonly DesiredSubscription[]) =>
    startLimit.map(subscriptions, async s => {
      daemon.allow(s);
      await daemon.start(s);
      alive();
    });

  /** Applies the difference from a known state. Denials come first and wait for nothing. */
  async function change(changes: Changes, set: HostSet): Promise<void> {
    const { removed, added, changed } = changes;
    // Clients of these subscriptions may be served elsewhere or again later, so they are told to
    // reconnect.
    const reconnecting = new Set([...(set.moved ?? []), ...onOwnAddress, ...added.map(({ id }) => id)]);
    const denied = changed.filter(k => k.removedKeys.length > 0 || k.relogin.length > 0);
    await Promise.all([
      ...denied.map(k => daemon.deny(k.now, k.relogin)),
      ...removed.map(s => daemon.remove(s.slot, reconnecting.has(s.id) ? 'reconnect' : 'stop')),
    ]);
    const removedCounters = [
      ...removed.flatMap(s => [...Object.values(deviceCounters(s)), ...keyCounters(s, s.keys)]),
      ...changed.flatMap(k => keyCounters(k.before, k.removedKeys)),
    ];
    // Counters vanish with their devices and keys, so this is the last reading of them.
    if (removedCounters.length > 0) await readUsage();
    // Order matters: an address that the firewall does not list as sold answers on all ports of the
    // host.
    await netdev.remove(removed);
    await nat.apply(changes);
    // Not earlier: after a crash the agent would count existing counters twice.
    saveUsage(withoutReadings(usage, removedCounters));
    // After the ports are closed, or strangers' connections would reappear; and before any step
    // that may fail. Not awaited: hundreds of deletions take seconds.
    void nat.forget([
      ...removed.map(({ slot }) => ({ slot })),
      ...changed.map(k => ({ slot: k.now.slot, keys: k.removedKeys })),
    ]);
    // Includes subscriptions with new ports: the kernel may still reserve those ports for root.
    await netdev.add([...added, ...changed.filter(k => k.portsChanged).map(k => k.now)]);
    await shaper.apply(changes);
    for (const k of changed) daemon.allow(k.now);
    const restarted = changed.filter(k => k.restart).map(k => k.now);
    await startAll([...restarted, ...added]);
    const others = removed.length + added.length > 0 || changed.some(k => k.portsChanged);
    if (others) relay.setRoutes(set.subscriptions);
  }

  /**
   * Converges from an unknown state (agent restart, reboot, failed change): compares with the
   * kernel and leaves correct processes and counters untouched.
   */
  async function rebuild(set: HostSet): Promise<void> {
    const all = set.subscriptions;
    const wanted = new Set(all.map(s => s.slot));
    await Promise.all(all.map(s => daemon.deny(s, [])));
    const devices = new Set(await netdev.slots());
    const strays = [...daemon.slots(), ...devices].filter(slot => !wanted.has(slot));
    // The owner of a stray slot is unknown. A client told to stop would continue unprotected if
    // another host serves it now.
    const clients = set.moved?.length || onOwnAddress.length || all.length === 0 ? 'reconnect' : 'stop';
    await startLimit.map([...new Set(strays)], slot => daemon.remove(slot, clients));
    // A process whose device was removed spins, even after the device is created again.
    const lost = all.filter(({ slot }) => !devices.has(slot));
    await startLimit.map(lost, ({ slot }) => daemon.remove(slot, 'reconnect'));
    // Before counters are created: those missing now will start at 0.
    await readUsage();
    // No address may exist without the firewall rule for it: unsold ones go before, new ones come
    // after.
    await netdev.sweep(all);
    await nat.reset(set);
    void nat.forget(strays.map(slot => ({ slot })));
    firewall = true;
    await netdev.configure();
    await netdev.add(all);
    await shaper.prepare();
    await shaper.sweep(set);
    await shaper.apply(plan(EMPTY, set));
    await startAll(all);
    relay.setRoutes(all);
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
    if (known) await change(plan(known, usable), usable);
    else await rebuild(usable);
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
      await rebuild(set);
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
      if (!(await readUsage())) await repairFirewall();
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
        const rows = usageRows(usage, bangkokDay(clock()), id => !current || runs.has(id));
        // Probes are counted like keys but belong to no customer.
        const used = rows.filter(({ keyId }) => !keyId.startsWith(PROBE));
        return {
          subscriptions: states(),
          // Omitted until the first check, so that the shop keeps the last known value.
          ...(own && { ownAddresses: own }),
          drift: allDrift(),
          epoch: usage.epoch,
          usage: used,
        };
      }),

    async devices(subscriptionId, restart) {
      const s = runnable.subscriptions.find(({ id }) => id === subscriptionId);
      if (s && restart) await daemon.restart(s.slot);
      return s && daemon.devices(s);
    },

    acknowledgeUsage: rows =>
      withLock(async () => {
        // The last bytes of a day that was still being counted when the report was sent are in the
        // next one.
        const today = bangkokDay(clock());
        const probes = usageRows(usage, today, () => true).filter(({ keyId }) => keyId.startsWith(PROBE));
        const finished = [...rows, ...probes].filter(({ day }) => day < today);
        if (finished.length > 0) saveUsage(withoutRows(usage, finished));
      }),

    async end() {
      try {
        await reconcile();
      } finally {
        usageFiles.save(usage, true);
      }
    },
  };
}
