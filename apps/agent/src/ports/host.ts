import type {
  Check,
  DesiredKey,
  DesiredSubscription,
  DeviceSeen,
  Drift,
  HostReport,
} from '@fixpoint/contract/agent.ts';
import type { Changes, HostSet } from '../plan.ts';

/** A part of the host that says by itself what the kernel has. */
type DriftSource = {
  /** Where that is not what the set says. */
  drift(set: HostSet): Promise<Drift[]>;
};

/** Devices and addresses of the host. */
export type Netdev = DriftSource & {
  /**
   * Kernel settings: forwarding, buffer sizes, connection tracking, no way from or to a tunnel without the firewall.
   * After the firewall is there: forwarding must not be open before, and the kernel has settings of connection tracking
   * only then.
   */
  configure(): Promise<void>;
  /**
   * Addresses by which the machine itself reaches the internet: the one that it calls with, which is never taken off its card,
   * and that of its next router. While no way leads there, what they were.
   */
  own(): Promise<string[]>;
  /** Slots that have a tunnel device, wanted or not. */
  slots(): Promise<number[]>;
  /** Bytes that each tunnel device has carried since it was made, by counter name (`layout.ts`). */
  bytes(): Map<string, number>;
  /** Removes their devices and addresses, in one batch. Before the firewall forgets them: it would let the host answer there. */
  remove(subscriptions: readonly DesiredSubscription[]): Promise<void>;
  /**
   * Makes their devices and addresses, in one batch, once the firewall knows them, and has the kernel let processes without
   * rights listen on their ports. Repeating it changes nothing.
   */
  add(subscriptions: readonly DesiredSubscription[]): Promise<void>;
  /** Removes what an earlier run left behind: devices of other slots, static addresses that nobody has. */
  sweep(wanted: readonly DesiredSubscription[]): Promise<void>;
};

/** Devices that have left: all of a slot, or some keys of it. */
export type Gone = Pick<DesiredSubscription, 'slot'> & { keys?: readonly DesiredKey[] };

/** Firewall, address translation and byte counters: one table of ours. */
export type Nat = DriftSource & {
  /**
   * Makes the table exactly that of the set, in one transaction, and keeps the counters of keys that stay where nothing stands
   * in its way. Has the kernel forget the connections of those that the table knows and the set does not.
   */
  reset(set: HostSet): Promise<void>;
  /** Changes only what differs, in one transaction. */
  apply(changes: Changes): Promise<void>;
  /**
   * Has the kernel forget the connections of devices that have left, each a line of where its customer was. It never
   * fails; what it could not do it tries again when it is asked next.
   */
  forget(gone: readonly Gone[]): Promise<void>;
  /** Bytes by counter name since the counter was made; and whether all rules are still there, and no others. */
  read(): Promise<{ bytes: Map<string, number>; whole: boolean }>;
};

/** Line rates. */
export type Shaper = DriftSource & {
  /** Finds out what the kernel can do, and gives the network card what classes hang on. Before all else. */
  prepare(): Promise<void>;
  apply(changes: Changes): Promise<void>;
  /** Removes classes that an earlier run left behind, and nobody has. */
  sweep(wanted: HostSet): Promise<void>;
};

/** What leads TCP to the servers, which speak UDP. It goes on without the agent. */
export type Relay = {
  /**
   * Has the TCP ports of these subscriptions lead to their servers, and no others. Nothing waits for it, least of all the
   * deletion of a key; what fails is drift.
   */
  setRoutes(subscriptions: readonly DesiredSubscription[]): void;
  /**
   * Where it has not what it was told last. It is told again: so one that stands still is noticed, and what has become free is
   * taken. Takes seconds when it does not answer.
   */
  drift(): Promise<Drift[]>;
};

export type TunnelState = Omit<HostReport['subscriptions'][number], 'id'>;

/**
 * Connects with a subscription's probe and looks whether it gets what was sold. Takes some tenths of a second, or ten seconds
 * where nothing answers.
 * @param lane from 1; names what it makes: one at a time in each
 * @returns what it could not see; nothing: it works
 * @throws Error when this host cannot look
 */
export type Prober = (s: DesiredSubscription, lane: number) => Promise<Check[]>;

/**
 * The program that speaks to customers' devices: a server for each subscription, and who may log in to it. Everything else
 * (devices, firewall, rates, the relay) asks of it only that it speaks UDP on the subscription's port and has its tunnel in the
 * slot's device, each key at its address there. OpenVPN is the one driver.
 */
export type VpnDaemon = DriftSource & {
  /** Slots that have a server or what is left of one, also from before the agent started. */
  slots(): number[];
  /**
   * Refuses keys that are not in the subscription and certificates that are revoked, then ends their sessions at
   * once; sessions of `relogin`, and of keys with a certificate that was not refused yet, are told to come back.
   */
  deny(s: DesiredSubscription, relogin: readonly string[]): Promise<void>;
  /** Lets all keys of the subscription in. */
  allow(s: DesiredSubscription): void;
  /**
   * Runs the subscription's server with this configuration and keeps it running; one that already does stays, one with
   * another configuration ends so that clients come back by themselves.
   */
  start(s: DesiredSubscription): Promise<void>;
  /** Ends the server, its sessions told what they are to do, and removes what it had. Resolves when it is gone. */
  remove(slot: number, clients: 'stop' | 'reconnect'): Promise<void>;
  /** Ends servers that are there and do nothing any more; they are started again like those that have ended. */
  killUnresponsive(): Promise<void>;
  /** What is seen of a subscription's devices just now. Takes seconds. Nobody's address is read for it. */
  devices(s: DesiredSubscription): Promise<DeviceSeen[]>;
  /** Ends a process so that it restarts; its clients are told to come back. */
  restart(slot: number): Promise<void>;
  /**
   * Sees who has left since the last look, and has processes restart that were used, and are no more: one remembers who was
   * there, a new one does not.
   * @param left has everything else forget who was there, of a process that restarts before it does; must not fail
   */
  forget(subscriptions: readonly DesiredSubscription[], left: (gone: Gone) => Promise<void>): Promise<void>;
  state(slot: number): TunnelState;
};
