import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { processUid } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { TunnelState } from '../../ports/host.ts';
import { killOwn, resumeOwn } from '../own-process.ts';
import { configHash, renderServerConfig } from './config.ts';
import { savedHash, savedPid, saveHash, savePid, slotPaths } from './folder.ts';
import { type Management, managementIfRunning, type Session } from './management.ts';
import { startOpenvpn } from './process.ts';

/** Gives clients time to receive the notice before the process ends. */
const NOTICE_MS = 100;
/** A process that ran this long is restarted at once; a shorter run counts as a failure. */
const HEALTHY_MS = 5000;
const MAX_PAUSE_MS = 30_000;

/** Supervised process of one slot. */
export type Unit = {
  subscription: DesiredSubscription;
  config: string;
  hash: string;
  state: TunnelState;
  /** Consecutive failed starts. */
  failures: number;
  /** False ends the supervision. */
  wanted: boolean;
};

export const isUp = ({ wanted, state }: Unit): boolean => wanted && state.state === 'up';

/** Whether the process has failed and a retry is scheduled. */
const isFailing = ({ wanted, state, failures }: Unit): boolean =>
  wanted && state.state === 'failed' && failures > 0;

type Options = {
  runDir: string;
  firstUid: number;
  log: Log;
  /** Called when a tunnel comes up or goes down by itself. */
  onChange: () => void;
};

/**
 * Starts the processes of slots and restarts those that end. Finds running ones by their management
 * socket. `running`, `end` and `replace` must run inside `withLock`.
 */
export function createSupervisor({ runDir, firstUid, log, onChange }: Options) {
  const units = new Map<number, Unit>();
  const connections = new Map<number, Management>();
  const locks = new Map<number, Promise<unknown>>();

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
    if (found && savedHash(runDir, slot) !== unit.hash) await end(slot, found, () => 'RESTART');
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
    how: (session: Session) => 'HALT' | 'RESTART',
  ): Promise<void> {
    await notifyClients(management, how);
    await killUnsupervised(slot);
  }

  async function notifyClients(
    management: Management | undefined,
    how: (session: Session) => 'HALT' | 'RESTART',
  ): Promise<void> {
    const sessions = (await management?.sessions().catch(() => [])) ?? [];
    await Promise.all(
      sessions.map(session => management?.end(session.id, how(session)).catch(() => undefined)),
    );
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

  const release = (slot: number) => {
    const unit = units.get(slot);
    if (unit) unit.wanted = false;
    units.delete(slot);
  };

  return {
    withLock,
    running,
    end,
    replace,
    notifyClients,
    release,
    units: (): Iterable<[number, Unit]> => units,
    unit: (slot: number): Unit | undefined => units.get(slot),
    connection: (slot: number): Management | undefined => connections.get(slot),

    /** See `VpnDaemon.start`. */
    async start(s: DesiredSubscription): Promise<void> {
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

    /** See `VpnDaemon.killUnresponsive`. */
    async killUnresponsive(): Promise<void> {
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

    state: (slot: number): TunnelState => units.get(slot)?.state ?? { state: 'failed', reason: 'notStarted' },
  };
}
