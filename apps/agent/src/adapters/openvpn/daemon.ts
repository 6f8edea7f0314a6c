import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import pLimit from 'p-limit';
import { driftOf } from '../../drift.ts';
import { processUid } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Gone, TunnelState, VpnDaemon } from '../../ports/host.ts';
import { killOwn, resumeOwn } from '../own-process.ts';
import { configHash, renderServerConfig } from './config.ts';
import { createDevices } from './devices.ts';
import { createDisconnectTracker } from './disconnect-tracker.ts';
import {
  actualClients,
  allow,
  createFolder,
  deny,
  denyAll,
  removeFolder,
  savedHash,
  savedPid,
  saveHash,
  savePid,
  slotPaths,
  slotsWithFolder,
  wantedClients,
} from './folder.ts';
import { type Management, managementIfRunning, type Session } from './management.ts';
import { pauseIfIdle, startOpenvpn } from './process.ts';

/** Gives clients time to receive the notice before the process ends. */
const NOTICE_MS = 100;
/** A process that ran this long is restarted at once; a shorter run counts as a failure. */
const HEALTHY_MS = 5000;
const MAX_PAUSE_MS = 30_000;
/** Maximum number of concurrent restarts: after a network outage all processes may need one. */
const restartLimit = pLimit(16);
/**
 * Deletes flows of disconnected keys slot by slot. A starting agent may have hundreds, and neither
 * reconciliation nor restarts may wait for them.
 */
const cleanupLimit = pLimit(1);

/**
 * How often a restart is postponed because of incoming packets. Strangers and refused clients keep
 * sending.
 */
const MAX_POSTPONED = 2;

/** Supervised process of one slot. */
type Unit = {
  subscription: DesiredSubscription;
  config: string;
  hash: string;
  state: TunnelState;
  /** Consecutive failed starts. */
  failures: number;
  /** False ends the supervision. */
  wanted: boolean;
};

/** Called with the keys that have disconnected. */
type OnDisconnected = (gone: Gone) => Promise<void>;

const isUp = ({ wanted, state }: Unit): boolean => wanted && state.state === 'up';

/** Whether the process has failed and a retry is scheduled. */
const isFailing = ({ wanted, state, failures }: Unit): boolean =>
  wanted && state.state === 'failed' && failures > 0;

type Options = {
  runDir: string;
  firstUid: number;
  log: Log;
  /** Aborted when the agent is about to exit: no process may stay paused. */
  stopping: AbortSignal;
  /** Called when a tunnel comes up or goes down by itself. */
  onChange: () => void;
};

/**
 * Supervises the OpenVPN processes. Finds running ones by their management socket and restarts
 * those that end.
 */
export function createOpenvpn({ runDir, firstUid, log, stopping, onChange }: Options): VpnDaemon {
  const units = new Map<number, Unit>();
  const connections = new Map<number, Management>();
  const locks = new Map<number, Promise<unknown>>();
  const devices = createDevices();
  const disconnects = createDisconnectTracker();
  /** Number of postponed restarts by slot. */
  const postponed = new Map<number, number>();

  /**
   * Serializes work per slot: a process serves one management connection, and a second would wait
   * for ever.
   */
  function withLock<T>(slot: number, work: () => Promise<T>): Promise<T> {
    const run = (locks.get(slot) ?? Promise.resolve()).then(work);
    locks.set(
      slot,
      run.catch(() => undefined),
    );
    return run;
  }

  /**
   * Returns the connection to a slot's process; undefined when none answers, or when another
   * process owns the socket.
   */
  async function running(slot: number): Promise<Management | undefined> {
    const known = connections.get(slot);
    if (known) return known;
    // A paused process would not answer.
    resumeOwn(savedPid(runDir, slot), processUid(firstUid, { slot }));
    const found = await managementIfRunning(slotPaths(runDir, slot).management);
    if (!found) return undefined;
    if (found.pid === savedPid(runDir, slot)) track(slot, found);
    else found.leave();
    return connections.get(slot);
  }

  /**
   * Kills the last process of a slot even if it does not answer: two would compete for address and
   * socket. Its device may be removed only afterwards, or the process spins for ever.
   */
  const kill = (slot: number): Promise<void> =>
    killOwn(savedPid(runDir, slot), processUid(firstUid, { slot }));

  function track(slot: number, management: Management): void {
    connections.set(slot, management);
    const since = performance.now();
    void management.closed.then(() => {
      // A connection that was released on purpose needs no restart.
      if (connections.get(slot) !== management) return;
      connections.delete(slot);
      const unit = units.get(slot);
      if (!unit || !isUp(unit)) return;
      unit.failures = performance.now() - since > HEALTHY_MS ? 0 : unit.failures + 1;
      log('openvpnEnded', { slot });
      markFailed(unit);
      void retry(slot, unit);
    });
  }

  function markFailed(unit: Unit): void {
    const local = Object.values(networkInterfaces()).flat();
    const present = local.some(address => address?.address === unit.subscription.bindAddress);
    unit.state = { state: 'failed', reason: present ? 'openvpnExited' : 'addressMissing' };
    onChange();
  }

  /** Starts a unit's process, or adopts a running one with the same configuration. */
  async function bringUp(slot: number, unit: Unit): Promise<void> {
    const found = await running(slot);
    if (found && savedHash(runDir, slot) !== unit.hash) await end(slot, found, 'RESTART');
    // The process may have ended in the meantime, and then nobody would notice.
    else if (found && connections.get(slot) === found) {
      unit.state = { state: 'up' };
      return;
    }
    // Before the start: after a crash of the agent the new process must not be taken for one with
    // the old configuration.
    saveHash(runDir, slot, unit.hash);
    await kill(slot);
    const uid = processUid(firstUid, { slot });
    const { management: socket } = slotPaths(runDir, slot);
    const management = await startOpenvpn(unit.config, uid, socket, pid => savePid(runDir, slot, pid));
    unit.state = { state: 'up' };
    track(slot, management);
  }

  function notStarted(slot: number, unit: Unit): void {
    log('openvpnNotStarted', { slot });
    unit.failures = 1;
    markFailed(unit);
    void retry(slot, unit);
  }

  async function retry(slot: number, unit: Unit): Promise<void> {
    while (unit.wanted) {
      // The first retry is immediate.
      if (unit.failures > 1) {
        await sleep(Math.min(MAX_PAUSE_MS, 100 * 2 ** unit.failures), undefined, { ref: false });
      }
      if (!unit.wanted) return;
      try {
        await withLock(slot, async () => {
          if (unit.wanted) await bringUp(slot, unit);
        });
        onChange();
        return;
      } catch {
        unit.failures += 1;
      }
    }
  }

  /**
   * Notifies every session and kills the process. Not by SIGTERM: with explicit-exit-notify that
   * takes two seconds.
   */
  async function end(
    slot: number,
    management: Management | undefined,
    how: 'HALT' | 'RESTART',
  ): Promise<void> {
    await notifyClients(management, how);
    await killUnsupervised(slot);
  }

  async function notifyClients(management: Management | undefined, how: 'HALT' | 'RESTART'): Promise<void> {
    const sessions = (await management?.sessions().catch(() => [])) ?? [];
    await Promise.all(sessions.map(({ id }) => management?.end(id, how).catch(() => undefined)));
    if (sessions.length > 0) await sleep(NOTICE_MS);
  }

  /** Kills a process without triggering its restart. */
  function killUnsupervised(slot: number): Promise<void> {
    connections.delete(slot);
    return kill(slot);
  }

  /** Replaces a process by a new one. */
  async function replace(slot: number, unit: Unit): Promise<void> {
    try {
      await killUnsupervised(slot);
      await bringUp(slot, unit);
    } catch {
      notStarted(slot, unit);
    }
  }

  /**
   * Deletes all traces of disconnected keys. Nothing is logged: that would record when they left
   * (K10).
   */
  async function forgetDisconnected(
    slot: number,
    unit: Unit,
    keys: readonly DesiredKey[],
    left: OnDisconnected,
  ): Promise<void> {
    const management = connections.get(slot);
    if (!management || !isUp(unit) || stopping.aborted) return;
    const now = await management.presence().catch(() => undefined);
    if (!now) return;
    const there = now.sessions.map(({ keyId }) => keyId);
    const gone = disconnects.since(slot, management.pid, keys, there);
    if (now.sessions.some(({ served }) => served)) postponed.delete(slot);
    if (now.left) return restart(slot, unit, management, left);
    if (gone.length === 0) return;
    // If nobody else is connected, one deletion covers the whole slot.
    const those = there.length > 0 ? { slot, keys: gone } : { slot };
    void cleanupLimit(() => (stopping.aborted ? undefined : left(those)));
  }

  /** Restarts a process whose last client has disconnected. */
  async function restart(
    slot: number,
    unit: Unit,
    management: Management,
    left: OnDisconnected,
  ): Promise<void> {
    // Before the process ends: afterwards it would be adopted again, also by another agent.
    await left({ slot });
    const snapshot = await management.snapshot().catch(() => undefined);
    // The deletion may take seconds; a client that has logged in since would lose its tunnel.
    if (snapshot && snapshot.started.length > 0) return;
    // If the process has ended in the meantime, supervision restarts it.
    const uid = processUid(firstUid, { slot });
    const times = postponed.get(slot) ?? 0;
    if (times < MAX_POSTPONED && !(await pauseIfIdle(management.pid, uid).catch(() => false))) {
      postponed.set(slot, times + 1);
      return;
    }
    postponed.delete(slot);
    if (snapshot) devices.recordRestart(slot, snapshot);
    await replace(slot, unit);
  }

  /** Returns completed and attempted logins; undefined when no process answers. */
  const sessionsOf = (slot: number): Promise<Session[] | undefined> =>
    withLock(slot, async () => (await running(slot))?.sessions()).catch(() => undefined);

  const release = (slot: number) => {
    const unit = units.get(slot);
    if (unit) unit.wanted = false;
    units.delete(slot);
  };

  return {
    slots: () => slotsWithFolder(runDir),

    async deny(s, relogin) {
      createFolder(runDir, s.slot, processUid(firstUid, s));
      // Only the folder knows what was revoked while the agent was away.
      const again = new Set([...relogin, ...deny(runDir, s)]);
      const allowed = new Set(s.keys.map(key => key.id));
      await withLock(s.slot, async () => {
        const management = await running(s.slot);
        const sessions = (await management?.sessions()) ?? [];
        await Promise.all(
          sessions
            .filter(({ keyId }) => !allowed.has(keyId) || again.has(keyId))
            .map(({ keyId, id }) => management?.end(id, allowed.has(keyId) ? 'RESTART' : 'HALT')),
        );
      });
    },

    allow(s) {
      createFolder(runDir, s.slot, processUid(firstUid, s));
      // Revocations first: a refused certificate must never be let in.
      deny(runDir, s);
      allow(runDir, s);
    },

    async start(s) {
      const config = renderServerConfig(s, runDir);
      const hash = configHash(config);
      const before = units.get(s.slot);
      // A retry is scheduled with a delay. Starting here as well would remove the delay: each exit
      // is reconciled, and each reconciliation that misses the process calls this.
      if (before?.hash === hash && isFailing(before)) {
        before.subscription = s;
        return;
      }
      const unit: Unit = {
        subscription: s,
        config,
        hash,
        state: { state: 'failed', reason: 'starting' },
        failures: 0,
        wanted: true,
      };
      release(s.slot);
      units.set(s.slot, unit);
      try {
        await withLock(s.slot, () => bringUp(s.slot, unit));
      } catch {
        notStarted(s.slot, unit);
      }
    },

    async remove(slot, clients) {
      release(slot);
      disconnects.forget(slot);
      postponed.delete(slot);
      denyAll(runDir, slot);
      await withLock(slot, async () =>
        end(slot, await running(slot), clients === 'stop' ? 'HALT' : 'RESTART'),
      );
      removeFolder(runDir, slot);
    },

    async killUnresponsive() {
      const up = [...units].filter(([, { state }]) => state.state === 'up');
      await Promise.all(
        up.map(([slot, unit]) =>
          withLock(slot, async () => {
            if (!isUp(unit)) return;
            const answers = await connections
              .get(slot)
              ?.ready()
              .catch(() => false);
            if (answers !== false) return;
            log('openvpnSilent', { slot });
            await kill(slot);
          }),
        ),
      );
    },

    async forget(subscriptions, left) {
      const keys = new Map(subscriptions.map(s => [s.slot, s.keys]));
      await restartLimit.map(units, ([slot, unit]) =>
        withLock(slot, () => forgetDisconnected(slot, unit, keys.get(slot) ?? [], left)),
      );
    },

    async drift({ subscriptions }) {
      const allowed = subscriptions.flatMap(({ slot, keys }) => keys.map(({ id }) => `${slot} ${id}`));
      const slots = slotsWithFolder(runDir);
      const listed = await Promise.all(slots.map(sessionsOf));
      const alive = slots.filter((_, n) => listed[n]);
      // A refused client that retries is no session: repairing it would log when it called (K10).
      const sessions = slots.flatMap((slot, n) =>
        (listed[n] ?? []).flatMap(({ keyId, served }) => (served ? [`${slot} ${keyId}`] : [])),
      );
      return [
        ...driftOf('client', actualClients(runDir), wantedClients(subscriptions)),
        ...driftOf(
          'process',
          alive.map(String),
          subscriptions.map(({ slot }) => String(slot)),
        ),
        // An allowed key need not be connected.
        ...driftOf(
          'session',
          sessions,
          allowed.filter(client => sessions.includes(client)),
        ),
      ];
    },

    restart: slot =>
      withLock(slot, async () => {
        const unit = units.get(slot);
        // A process that is down is being restarted already.
        if (!unit || !isUp(unit)) return;
        await notifyClients(connections.get(slot), 'RESTART');
        await replace(slot, unit);
      }),

    devices: ({ slot, keys }) =>
      devices.seen(
        slot,
        keys.map(({ id }) => id),
        () => withLock(slot, async () => (await running(slot))?.snapshot()).catch(() => undefined),
      ),

    state: slot => units.get(slot)?.state ?? { state: 'failed', reason: 'notStarted' },
  };
}
