import type {
  Check,
  DesiredKey,
  DesiredSubscription,
  DeviceSeen,
  Drift,
  HostReport,
} from '@fixpoint/contract/agent.ts';
import type { Changes, HostSet } from '../plan.ts';

/** A part of the host that can compare the kernel with a set. */
type DriftSource = {
  /** Returns the differences from the set. */
  drift(set: HostSet): Promise<Drift[]>;
};

/** Devices and addresses of the host. */
export type Netdev = DriftSource & {
  /**
   * Sets sysctls: forwarding, buffer sizes, connection tracking, no routing to or from a tunnel
   * without the firewall. Call after the firewall is loaded: forwarding must not open earlier, and
   * conntrack sysctls exist only then.
   */
  configure(): Promise<void>;
  /**
   * Addresses by which the machine itself reaches the internet: its source address, which is never
   * removed, and its next router. Without a route, the last known ones.
   */
  own(): Promise<string[]>;
  /** Slots that have a tunnel device, wanted or not. */
  slots(): Promise<number[]>;
  /**
   * Bytes that each tunnel device has carried since its creation, by counter name (`layout.ts`).
   */
  bytes(): Map<string, number>;
  /**
   * Removes devices and addresses in one batch. Call before the firewall forgets them, or the host
   * itself would answer there.
   */
  remove(subscriptions: readonly DesiredSubscription[]): Promise<void>;
  /**
   * Creates devices and addresses in one batch, once the firewall lists them, and lets unprivileged
   * processes bind their ports. Idempotent.
   */
  add(subscriptions: readonly DesiredSubscription[]): Promise<void>;
  /** Removes leftovers of an earlier run: devices of other slots, unsold static addresses. */
  sweep(wanted: readonly DesiredSubscription[]): Promise<void>;
};

/** Keys that have disconnected; without `keys`, all of a slot. */
export type Gone = Pick<DesiredSubscription, 'slot'> & { keys?: readonly DesiredKey[] };

/** Firewall, address translation and byte counters, in one nftables table. */
export type Nat = DriftSource & {
  /**
   * Replaces the table by that of the set in one transaction. Keeps counters of remaining keys
   * where possible, and deletes connections that the table knows and the set does not.
   */
  reset(set: HostSet): Promise<void>;
  /** Applies the difference in one transaction. */
  apply(changes: Changes): Promise<void>;
  /**
   * Deletes the kernel's connections of disconnected keys: each one reveals where a customer was.
   * Never fails; failed deletions are retried with the next call.
   */
  forget(gone: readonly Gone[]): Promise<void>;
  /** Bytes since creation by counter name, and whether all rules are present and no others. */
  read(): Promise<{ bytes: Map<string, number>; whole: boolean }>;
};

/** Line rates. */
export type Shaper = DriftSource & {
  /**
   * Detects what the kernel supports and attaches the root class to the network card. Call first.
   */
  prepare(): Promise<void>;
  apply(changes: Changes): Promise<void>;
  /** Removes classes of an earlier run that no subscription has. */
  sweep(wanted: HostSet): Promise<void>;
};

/** Process that forwards TCP to the servers, which speak UDP. It outlives the agent. */
export type Relay = {
  /**
   * Makes the relay forward exactly the TCP ports of these subscriptions. Returns at once, since
   * key deletion must not wait; failures show as drift.
   */
  setRoutes(subscriptions: readonly DesiredSubscription[]): void;
  /**
   * Sends the routes again and returns the differences. This detects a relay that hangs and retries
   * ports that have become free. Takes seconds when the relay does not answer.
   */
  drift(): Promise<Drift[]>;
};

export type TunnelState = Omit<HostReport['subscriptions'][number], 'id'>;

/**
 * Connects with a subscription's probe and verifies what was sold. Takes some tenths of a second,
 * or ten seconds when nothing answers.
 * @param lane from 1; one probe at a time in each
 * @returns failed checks; empty when all succeed
 * @throws Error when this host cannot run probes
 */
export type Prober = (s: DesiredSubscription, lane: number) => Promise<Check[]>;

/**
 * VPN server software: one server per subscription and the keys that may log in. The other parts
 * rely only on UDP at the subscription's port, the tunnel in the slot's device, and each key's
 * address. OpenVPN is the only driver.
 */
export type VpnDaemon = DriftSource & {
  /** Slots that have a server or leftovers of one, also from before the agent started. */
  slots(): number[];
  /**
   * Refuses removed keys and revoked certificates, then ends their sessions at once. Sessions of
   * `relogin`, and of keys with a newly revoked certificate, are told to reconnect.
   */
  deny(s: DesiredSubscription, relogin: readonly string[]): Promise<void>;
  /** Allows all keys of the subscription. */
  allow(s: DesiredSubscription): void;
  /**
   * Starts and supervises the subscription's server. One with the same configuration keeps running;
   * one with another is ended so that clients reconnect.
   */
  start(s: DesiredSubscription): Promise<void>;
  /**
   * Ends the server after notifying its sessions, and removes its files. Resolves when it is gone.
   */
  remove(slot: number, clients: 'stop' | 'reconnect'): Promise<void>;
  /** Kills servers that hang; they restart like those that have ended. */
  killUnresponsive(): Promise<void>;
  /**
   * Returns the current connection outcomes of a subscription's devices. Takes seconds. Reads no
   * client addresses.
   */
  devices(s: DesiredSubscription): Promise<DeviceSeen[]>;
  /** Restarts a process; its clients are told to reconnect. */
  restart(slot: number): Promise<void>;
  /**
   * Finds keys that have disconnected since the last check, and restarts used processes without
   * clients, because a process remembers who was connected.
   * @param left deletes all other traces, before the process restarts; must not fail
   */
  forget(subscriptions: readonly DesiredSubscription[], left: (gone: Gone) => Promise<void>): Promise<void>;
  state(slot: number): TunnelState;
};
