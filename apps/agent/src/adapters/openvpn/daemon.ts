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

/** Clients need a moment to read their notice before the process goes. */
const NOTICE_MS = 100;
/** One that lived this long is started again at once; a shorter life means that something is wrong. */
const HEALTHY_MS = 5000;
const MAX_PAUSE_MS = 30_000;
/** Processes that restart at the same time: after an outage of the network all may have to. */
const restartLimit = pLimit(16);
/**
 * Of keys that have left one slot at a time: an agent that has just started may have hundreds to tell of, and no look, nor any
 * process that restarts, is to wait for them.
 */
const cleanupLimit = pLimit(1);

/** So often a process is let go on because somebody calls it. Whoever calls at each look is a stranger, or is refused. */
const MAX_POSTPONED = 2;

/** What the agent wants of one slot. */
type Unit = {
  subscription: DesiredSubscription;
  config: string;
  hash: string;
  state: TunnelState;
  /** Starts that failed in a row. */
  failures: number;
  /** The process shall run; false ends the supervision. */
  wanted: boolean;
};

/** Is told of devices that have left. */
type OnDisconnected = (gone: Gone) => Promise<void>;

const isUp = ({ wanted, state }: Unit): boolean => wanted && state.state === 'up';

/** It has failed, and is tried again by itself. */
const isFailing = ({ wanted, state, failures }: Unit): boolean =>
  wanted && state.state === 'failed' && failures > 0;

type Options = {
  runDir: string;
  firstUid: number;
  log: Log;
  /** The agent is about to end: no process stands still any more. */
  stopping: AbortSignal;
  /** A tunnel came up or went down by itself. */
  onChange: () => void;
};

/** Processes, found again by their management socket whoever has started them, and started again when they end. */
export function createOpenvpn({ runDir, firstUid, log, stopping, onChange }: Options): VpnDaemon {
  const units = new Map<number, Unit>();
  const connections = new Map<number, Management>();
  const locks = new Map<number, Promise<unknown>>();
  const devices = createDevices();
  const disconnects = createDisconnectTracker();
  /** How often the process of a slot should have started again and has not. */
  const postponed = new Map<number, number>();

  /** One at a time for each slot: a process answers one management connection, a second would wait for ever. */
  function withLock<T>(slot: number, work: () => Promise<T>): Promise<T> {
    const run = (locks.get(slot) ?? Promise.resolve()).then(work);
    locks.set(
      slot,
      run.catch(() => undefined),
    );
    return run;
  }

  /** The process of a slot, if one runs and answers. Of a stranger that has taken its socket nothing is asked. */
  async function running(slot: number): Promise<Management | undefined> {
    const known = connections.get(slot);
    if (known) return known;
    // Else it would not answer.
    resumeOwn(savedPid(runDir, slot), processUid(firstUid, { slot }));
    const found = await managementIfRunning(slotPaths(runDir, slot).management);
    if (!found) return undefined;
    if (found.pid === savedPid(runDir, slot)) track(slot, found);
    else found.leave();
    return connections.get(slot);
  }

  /**
   * Ends what was started last for a slot, also when it does not answer: two would fight for one address and socket. Its device
   * may go only after it, for a process whose device vanishes spins for ever.
   */
  const kill = (slot: number): Promise<void> =>
    killOwn(savedPid(runDir, slot), processUid(firstUid, { slot }));

  function track(slot: number, management: Management): void {
    connections.set(slot, management);
    const since = performance.now();
    void management.closed.then(() => {
      // One that was let go has ended as it should.
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

  /** Brings a unit's process up, or takes over the one that already runs with the same configuration. */
  async function bringUp(slot: number, unit: Unit): Promise<void> {
    const found = await running(slot);
    if (found && savedHash(runDir, slot) !== unit.hash) await end(slot, found, 'RESTART');
    // It may have ended while it was asked: then nobody would hear of it again.
    else if (found && connections.get(slot) === found) {
      unit.state = { state: 'up' };
      return;
    }
    // Before the start: one that is found after a crash of the agent must not count as having the old configuration.
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
      // The first time at once.
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
   * Tells every session what comes, and ends the process. Not by SIGTERM: with explicit-exit-notify the server would
   * take two seconds over it.
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

  /** Ends a process that is not to be started again by who waits for its end. */
  function killUnsupervised(slot: number): Promise<void> {
    connections.delete(slot);
    return kill(slot);
  }

  /** Ends a process and starts another in its place. */
  async function replace(slot: number, unit: Unit): Promise<void> {
    try {
      await killUnsupervised(slot);
      await bringUp(slot, unit);
    } catch {
      notStarted(slot, unit);
    }
  }

  /** Has everything forget who has left. Nothing of it is written: it would say when he left (K10). */
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
    // All in one deletion where there is nobody to spare.
    const those = there.length > 0 ? { slot, keys: gone } : { slot };
    void cleanupLimit(() => (stopping.aborted ? undefined : left(those)));
  }

  /** Has a process restart that its last client has left. */
  async function restart(
    slot: number,
    unit: Unit,
    management: Management,
    left: OnDisconnected,
  ): Promise<void> {
    // First: one that ends before is found again as it was, also by another agent.
    await left({ slot });
    const snapshot = await management.snapshot().catch(() => undefined);
    // That may have taken seconds: who has logged in since is not called, and would lose his tunnel.
    if (snapshot && snapshot.started.length > 0) return;
    // One that has ended meanwhile is started again by who waits for its end.
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

  /** Who has logged in, or tried to; undefined where no process answers. */
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
      // What was revoked while the agent was away only the folder can tell.
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
      // Revocations first: a client must never be let in by a certificate that is refused.
      deny(runDir, s);
      allow(runDir, s);
    },

    async start(s) {
      const config = renderServerConfig(s, runDir);
      const hash = configHash(config);
      const before = units.get(s.slot);
      // Its turn comes after a pause. Started here as well, one that ends at once would be started without any: each end is
      // looked into, and each look that finds it missing comes here.
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
      // Who was refused and calls again is no session: to put that right would write down when he called (K10).
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
        // Who is let in need not be there.
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
        // One that is down is being started already.
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
