import type { DesiredKey } from '@fixpoint/contract/agent.ts';
import pLimit from 'p-limit';
import { driftOf } from '../../drift.ts';
import { processUid } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Gone, VpnDaemon } from '../../ports/host.ts';
import { createDevices } from './devices.ts';
import { createDisconnectTracker } from './disconnect-tracker.ts';
import {
  actualClients,
  allow,
  blockingKeys,
  createFolder,
  deny,
  denyAll,
  removeFolder,
  slotsWithFolder,
  wantedClients,
} from './folder.ts';
import type { Management, Session } from './management.ts';
import { pauseIfIdle } from './process.ts';
import { createSupervisor, isUp, type Unit } from './supervisor.ts';

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

/** Called with the keys that have disconnected. */
type OnDisconnected = (gone: Gone) => Promise<void>;

/**
 * Whether a client whose rights have ended is told to stop. One that blocks the internet would lift
 * that: it is told to reconnect, is refused, and keeps its routes. So is one that is refused
 * already, because its file, which says so, is gone.
 */
const stopsClient = ({ keyId, served }: Session, blocking: ReadonlySet<string>): boolean =>
  served && !blocking.has(keyId);

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
 * Runs one supervised OpenVPN process per slot, controls which clients it accepts, and makes it
 * forget clients that have disconnected.
 */
export function createOpenvpn({ runDir, firstUid, log, stopping, onChange }: Options): VpnDaemon {
  const supervisor = createSupervisor({ runDir, firstUid, log, onChange });
  const { withLock, running } = supervisor;
  const devices = createDevices();
  const disconnects = createDisconnectTracker();
  /** Number of postponed restarts by slot. */
  const postponed = new Map<number, number>();

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
    const management = supervisor.connection(slot);
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
    await supervisor.replace(slot, unit);
  }

  /** Returns completed and attempted logins; undefined when no process answers. */
  const sessionsOf = (slot: number): Promise<Session[] | undefined> =>
    withLock(slot, async () => (await running(slot))?.sessions()).catch(() => undefined);

  return {
    slots: () => slotsWithFolder(runDir),

    async deny(s, relogin) {
      createFolder(runDir, s.slot, processUid(firstUid, s));
      const blocking = new Set(blockingKeys(runDir, s.slot));
      // Only the folder knows what was revoked while the agent was away.
      const again = new Set([...relogin, ...deny(runDir, s)]);
      const allowed = new Set(s.keys.map(key => key.id));
      await withLock(s.slot, async () => {
        const management = await running(s.slot);
        const sessions = (await management?.sessions()) ?? [];
        await Promise.all(
          sessions
            .filter(({ keyId }) => !allowed.has(keyId) || again.has(keyId))
            .map(session => {
              const reconnects = allowed.has(session.keyId) || !stopsClient(session, blocking);
              return management?.end(session.id, reconnects ? 'RESTART' : 'HALT');
            }),
        );
      });
    },

    allow(s) {
      createFolder(runDir, s.slot, processUid(firstUid, s));
      // Revocations first: a refused certificate must never be let in.
      deny(runDir, s);
      allow(runDir, s);
    },

    async remove(slot, clients) {
      supervisor.release(slot);
      disconnects.forget(slot);
      postponed.delete(slot);
      const blocking = new Set(blockingKeys(runDir, slot));
      denyAll(runDir, slot);
      const how = (session: Session) =>
        clients === 'stop' && stopsClient(session, blocking) ? ('HALT' as const) : ('RESTART' as const);
      await withLock(slot, async () => supervisor.end(slot, await running(slot), how));
      removeFolder(runDir, slot);
    },

    async forget(subscriptions, left) {
      const keys = new Map(subscriptions.map(s => [s.slot, s.keys]));
      await restartLimit.map(supervisor.units(), ([slot, unit]) =>
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
        const unit = supervisor.unit(slot);
        // A process that is down is being restarted already.
        if (!unit || !isUp(unit)) return;
        await supervisor.notifyClients(supervisor.connection(slot), () => 'RESTART');
        await supervisor.replace(slot, unit);
      }),

    devices: ({ slot, keys }) =>
      devices.seen(
        slot,
        keys.map(({ id }) => id),
        () => withLock(slot, async () => (await running(slot))?.snapshot()).catch(() => undefined),
      ),

    start: supervisor.start,
    killUnresponsive: supervisor.killUnresponsive,
    state: supervisor.state,
  };
}
