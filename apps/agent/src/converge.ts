import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import pLimit from 'p-limit';
import { deviceCounters, downCounter, upCounter } from './layout.ts';
import { type Changes, EMPTY, type HostSet, plan } from './plan.ts';
import type { Nat, Netdev, Relay, Shaper, VpnDaemon } from './ports/host.ts';
import type { UsageCounter } from './usage-counter.ts';

/** Maximum number of processes that start concurrently; more would only wait for the processor. */
const startLimit = pLimit(8);

type Parts = {
  netdev: Netdev;
  nat: Nat;
  shaper: Shaper;
  daemon: VpnDaemon;
  relay: Relay;
  usage: UsageCounter;
  /** Called whenever a process has started. */
  alive: () => void;
};

const keyCounters = (s: DesiredSubscription, keys: readonly DesiredKey[]): string[] =>
  keys.flatMap(({ id }) => [downCounter(s, id), upCounter(s, id)]);

/**
 * The steps that turn sets into devices, firewall rules, traffic classes and processes, in an order
 * that is safe for customers. `onOwnAddress` lists subscriptions that are not served because their
 * address is the machine's own.
 */
export function createConvergence({ netdev, nat, shaper, daemon, relay, usage, alive }: Parts) {
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
  async function change(changes: Changes, set: HostSet, onOwnAddress: readonly string[]): Promise<void> {
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
    if (removedCounters.length > 0) await usage.read();
    // Order matters: an address that the firewall does not list as sold answers on all ports of the
    // host.
    await netdev.remove(removed);
    await nat.apply(changes);
    // Not earlier: after a crash the agent would count existing counters twice.
    usage.forget(removedCounters);
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
    const routesChanged = removed.length + added.length > 0 || changed.some(k => k.portsChanged);
    if (routesChanged) relay.setRoutes(set.subscriptions);
  }

  /**
   * Converges from an unknown state (agent restart, reboot, failed change): compares with the
   * kernel and leaves correct processes and counters untouched.
   * @param firewallReady called once the firewall is complete
   */
  async function rebuild(
    set: HostSet,
    onOwnAddress: readonly string[],
    firewallReady: () => void,
  ): Promise<void> {
    const subscriptions = set.subscriptions;
    const wanted = new Set(subscriptions.map(s => s.slot));
    await Promise.all(subscriptions.map(s => daemon.deny(s, [])));
    const devices = new Set(await netdev.slots());
    const strays = [...daemon.slots(), ...devices].filter(slot => !wanted.has(slot));
    // The owner of a stray slot is unknown. A client told to stop would continue unprotected if
    // another host serves it now.
    const clients =
      set.moved?.length || onOwnAddress.length || subscriptions.length === 0 ? 'reconnect' : 'stop';
    await startLimit.map([...new Set(strays)], slot => daemon.remove(slot, clients));
    // A process whose device was removed spins, even after the device is created again.
    const withoutDevice = subscriptions.filter(({ slot }) => !devices.has(slot));
    await startLimit.map(withoutDevice, ({ slot }) => daemon.remove(slot, 'reconnect'));
    // Before counters are created: those missing now will start at 0.
    await usage.read();
    // No address may exist without the firewall rule for it: unsold ones go before, new ones come
    // after.
    await netdev.sweep(subscriptions);
    await nat.reset(set);
    void nat.forget(strays.map(slot => ({ slot })));
    firewallReady();
    await netdev.configure();
    await netdev.add(subscriptions);
    await shaper.prepare();
    await shaper.sweep(set);
    await shaper.apply(plan(EMPTY, set));
    await startAll(subscriptions);
    relay.setRoutes(subscriptions);
  }

  return { change, rebuild };
}
