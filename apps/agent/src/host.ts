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

/** Processes that start at the same time; more only queue for the processor. */
const startLimit = pLimit(8);

type Parts = {
  netdev: Netdev;
  nat: Nat;
  shaper: Shaper;
  daemon: VpnDaemon;
  relay: Relay;
  deliveryCheck: DeliveryCheck;
  usageFiles: UsageFiles;
  /** Name of the count that begins where there is none (contract, `epoch`). */
  newEpoch: () => string;
  clock: Clock;
  log: Log;
  /** Called whenever something was finished: a host that does not get on is ended and started again. */
  alive: () => void;
};

export type Host = {
  /** Makes the host run exactly this set. Repeating it changes nothing. @throws Error when the kernel refuses */
  apply(set: HostSet): Promise<void>;
  /**
   * Reads the byte counters into the totals of the day, and puts right what is not as the set says.
   * @returns whether there is news for the shop
   */
  reconcile(): Promise<boolean>;
  /** What the shop wants to know; waits for a change under way, so that nothing half done is reported. */
  report(): Promise<Pick<HostReport, 'subscriptions' | 'ownAddresses' | 'drift' | 'epoch' | 'usage'>>;
  /**
   * What is seen of a subscription's devices just now; undefined when it is none of this host's.
   * @param restart its process restarts before
   */
  devices(subscriptionId: string, restart: boolean): Promise<DeviceSeen[] | undefined>;
  /** The shop has taken these rows of a report. */
  acknowledgeUsage(usage: HostReport['usage']): Promise<void>;
  /** The last look, before the agent ends. */
  end(): Promise<void>;
};

const keyCounters = (s: DesiredSubscription, keys: readonly DesiredKey[]): string[] =>
  keys.flatMap(({ id }) => [downCounter(s, id), upCounter(s, id)]);

/** Turns desired sets into devices, firewall, classes and processes, in the order that is safe for customers. */
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
  /** What the host runs; undefined = not known (just started, or a change broke off half way). */
  let current: HostSet | undefined;
  /** What the last call said. */
  let requested: HostSet = EMPTY;
  /** What of it shall run. */
  let runnable: HostSet = EMPTY;
  /** What of it cannot run: beside another, or at an address that is the machine's own. */
  let conflicting: string[] = [];
  let onOwnAddress: string[] = [];
  /** Addresses by which the machine itself reaches the internet; undefined: nobody has looked. */
  let own: string[] | undefined;
  /** A change for their sake broke off: no call has ordered it, so none tries it again. */
  let retryPending = false;
  /** What the kernel has that the set has not, or the other way round, as it was seen last. */
  let drift: Drift[] = [];
  /** What the relay has not, when it was told last. */
  let relayDrift: Drift[] = [];
  /** Without it nothing passes, whatever runs. */
  let firewall = true;
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: a reading between two steps of a change would miss or double counters. */
  function withLock<T>(work: () => Promise<T>): Promise<T> {
    const run = last.then(work);
    last = run.catch(() => undefined).then(alive);
    return run;
  }

  /** @returns whether the firewall is whole */
  async function readUsage(): Promise<boolean> {
    const { bytes, whole } = await nat.read();
    saveUsage(count(usage, new Map([...bytes, ...netdev.bytes()]), bangkokDay(clock())));
    return whole;
  }

  function saveUsage(next: Usage): void {
    usage = next;
    usageFiles.save(usage);
  }

  /** One that must restart ends only when its turn has come, so that its clients are away for a moment each. */
  const startAll = (subscriptions: readonly DesiredSubscription[]) =>
    startLimit.map(subscriptions, async s => {
      daemon.allow(s);
      await daemon.start(s);
      alive();
    });

  /** From a known state: touches only what differs. Denials come first and wait for nothing. */
  async function change(changes: Changes, set: HostSet): Promise<void> {
    const { removed, added, changed } = changes;
    // Who cannot be served here just now goes on being paid for.
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
    // Counters vanish with their devices and keys: what they show now is the last of it.
    if (removedCounters.length > 0) await readUsage();
    // An address that the firewall does not know as sold, not yet or no more, answers on all of the host's ports.
    await netdev.remove(removed);
    await nat.apply(changes);
    // No sooner: an agent that is killed would count all of those again that are still there.
    saveUsage(withoutReadings(usage, removedCounters));
    // Behind closed ports, or strangers' calls would be there again; and at once, for what comes may break off. Nobody waits
    // for it: of hundreds it takes seconds.
    void nat.forget([
      ...removed.map(({ slot }) => ({ slot })),
      ...changed.map(k => ({ slot: k.now.slot, keys: k.removedKeys })),
    ]);
    // Of those with other ports as well: the kernel may keep theirs for root yet.
    await netdev.add([...added, ...changed.filter(k => k.portsChanged).map(k => k.now)]);
    await shaper.apply(changes);
    for (const k of changed) daemon.allow(k.now);
    const restarted = changed.filter(k => k.restart).map(k => k.now);
    await startAll([...restarted, ...added]);
    const others = removed.length + added.length > 0 || changed.some(k => k.portsChanged);
    if (others) relay.setRoutes(set.subscriptions);
  }

  /**
   * From an unknown state: the agent was away, the host has been restarted, or a change broke off. Compares with what
   * is really there; processes and counters that are still right go on untouched.
   */
  async function rebuild(set: HostSet): Promise<void> {
    const all = set.subscriptions;
    const wanted = new Set(all.map(s => s.slot));
    await Promise.all(all.map(s => daemon.deny(s, [])));
    const devices = new Set(await netdev.slots());
    const strays = [...daemon.slots(), ...devices].filter(slot => !wanted.has(slot));
    // Whose a stray was is not known here: who is told to stop would go on bare where another host has him now.
    const clients = set.moved?.length || onOwnAddress.length || all.length === 0 ? 'reconnect' : 'stop';
    await startLimit.map([...new Set(strays)], slot => daemon.remove(slot, clients));
    // A process whose device was taken away spins, also when it is made again.
    const lost = all.filter(({ slot }) => !devices.has(slot));
    await startLimit.map(lost, ({ slot }) => daemon.remove(slot, 'reconnect'));
    // Before the counters are made: those that are missing now will begin at 0 again.
    await readUsage();
    // No address without the firewall that knows it as sold: what nobody has goes before, what is new comes after.
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

  /** Makes the host run what of the set can run here. */
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

  /** An address of the set may have become the machine's own, or be that no more: a deaf machine is never told another set. */
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

  /** Makes the kernel what the set says, when it still is not: it may have been seen in the middle of a change. */
  async function repairDrift(): Promise<void> {
    const set = current;
    // A change that broke off is tried again by who has ordered it.
    if (!set) return;
    drift = [];
    const seen = await driftNow(set);
    if (seen.length === 0) return;
    log('drift', { what: seen.map(({ what, more, missing }) => `${what} +${more} -${missing}`).join() });
    // The set stays known when this breaks off: what is left then is seen at the next look.
    try {
      await rebuild(set);
    } finally {
      // Told is what stays: not what is just being put right, and what came meanwhile has its own look.
      const left = await driftNow(set);
      drift = left.filter(({ what }) => seen.some(one => one.what === what));
    }
  }

  /** It is put right by being asked. Never in a turn: one that does not answer would have a deleted key wait. */
  async function checkRelay(): Promise<void> {
    // It has been told nothing before the first change, and would end.
    if (!current) return;
    relayDrift = await relay.drift();
    if (relayDrift.length > 0) log('drift', { what: 'relay' });
  }

  async function forgetDisconnected(): Promise<void> {
    await daemon.forget(runnable.subscriptions, gone => nat.forget([gone]));
    // What could not be done earlier, also where nobody else leaves.
    await nat.forget([]);
  }

  async function reconcileKernel(): Promise<void> {
    await withLock(async () => {
      if (!(await readUsage())) await repairFirewall();
    });
    await checkOwnAddresses();
    // Outside of the turns: one that does not answer takes ten seconds, a large host a moment, and nobody's deleted key must
    // wait for it. First whoever does not answer: the rest would wait for him.
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
    // A host whose last change broke off runs nothing for sure.
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
      // Also where the kernel refuses: what is remembered of customers must not wait until it is mended.
      await Promise.all([forgetDisconnected(), checkRelay()]);
    }
    return reportable() !== before;
  }

  return {
    apply: set =>
      withLock(async () => {
        const runs = new Set(current?.subscriptions.map(({ bindAddress }) => bindAddress));
        // At the start, and before an address comes; a deletion waits for nothing.
        if (!current || set.subscriptions.some(({ bindAddress }) => !runs.has(bindAddress)))
          own = await netdev.own();
        await converge(set);
      }),

    reconcile,

    report: () =>
      withLock(async () => {
        const runs = new Set(current?.subscriptions.flatMap(s => s.keys.map(({ id }) => id)));
        // While it is not known what runs, nobody is told to have left.
        const rows = usageRows(usage, bangkokDay(clock()), id => !current || runs.has(id));
        // A probe's bytes are counted like a key's, and are nobody's.
        const used = rows.filter(({ keyId }) => !keyId.startsWith(PROBE));
        return {
          subscriptions: states(),
          // Nobody has looked: what the shop was told holds.
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
        // The end of a day that was still counted on when the report was written is in the next one.
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
