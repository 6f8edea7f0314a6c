import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceSeen } from '@fixpoint/contract/agent.ts';
import type { ProcessSnapshot } from './management.ts';

/** A handshake over a slow line takes two seconds. */
const HANDSHAKE_MS = 3_000;
/** How long a snapshot is kept as the earlier one of the next comparison. */
const FORGET_MS = 30_000;

/** Whether bytes were sent although nobody is connected: a client was answered and refused. */
const hasRefused = (before: ProcessSnapshot, now: ProcessSnapshot): boolean =>
  before.pid === now.pid && before.started.length === 0 && now.started.length === 0 && now.sent > before.sent;

/**
 * Number of times that a session must have been replaced by another one of its key, while somebody
 * watches, to show that two devices use one file. One device that reconnects does so once.
 */
const REPLACED_TWICE = 2;

/** Ids of the sessions of each key that is let in. */
const sessionsOf = ({ started }: ProcessSnapshot): Map<string, string[]> => {
  const byKey = Map.groupBy(
    started.filter(({ keyId, served }) => served && keyId !== undefined),
    ({ keyId }) => keyId!,
  );
  return new Map([...byKey].map(([keyId, sessions]) => [keyId, sessions.map(({ id }) => id)]));
};

/** Returns keys whose session another one has replaced between two snapshots. */
function replacedBetween(before: ProcessSnapshot, now: ProcessSnapshot): string[] {
  if (before.pid !== now.pid) return [];
  const then = sessionsOf(before);
  return [...sessionsOf(now)].flatMap(([keyId, ids]) => {
    const earlier = then.get(keyId);
    return earlier && !ids.some(id => earlier.includes(id)) ? [keyId] : [];
  });
}

/**
 * Compares two snapshots of a process. Pure. A refused certificate (revoked, expired or not yet
 * valid) leaves no session, since the process closes at once; only sent bytes show it. A stalled
 * handshake has a number and no name: the device does not receive the answer, or does not trust it.
 * @param keys ids that are allowed
 * @param replaced how often the session of a key was replaced before
 */
export function devicesOf(
  before: ProcessSnapshot,
  now: ProcessSnapshot,
  keys: readonly string[],
  replaced: ReadonlyMap<string, number> = new Map(),
): DeviceSeen[] {
  const was = new Set(before.pid === now.pid ? before.started.map(({ id }) => id) : []);
  const seen = now.started.flatMap(({ id, keyId, served, fresh }): DeviceSeen[] => {
    if (keyId === undefined) return was.has(id) ? [{ outcome: 'unanswered' }] : [];
    if (!keys.includes(keyId)) return [{ outcome: 'unknownKey', keyId }];
    if (!served) return [];
    const usedTwice = (replaced.get(keyId) ?? 0) >= REPLACED_TWICE;
    return [
      {
        outcome: 'connected',
        keyId,
        ...(fresh && { justConnected: true as const }),
        ...(usedTwice && { usedTwice: true as const }),
      },
    ];
  });
  if (hasRefused(before, now)) seen.push({ outcome: 'refused' });
  const names = new Map(seen.map(one => [`${one.outcome} ${one.keyId}`, one]));
  // Limit of an answer (contract).
  return [...names.values()].slice(0, 64);
}

/**
 * Observes the devices of a slot on request only. Keeps one snapshot in memory for half a minute.
 */
export function createDevices(handshakeMs = HANDSHAKE_MS, forgetMs = FORGET_MS) {
  /**
   * `refused`: a refusal was seen before its process restarted. `replaced`: how often the session of
   * a key was replaced while somebody watched.
   */
  type Kept = ProcessSnapshot & { refused?: boolean; replaced?: Map<string, number> };
  const last = new Map<number, Kept>();

  function keep(slot: number, snapshot: Kept): void {
    last.set(slot, snapshot);
    setTimeout(() => {
      if (last.get(slot) === snapshot) last.delete(slot);
    }, forgetMs).unref();
  }

  return {
    /** @param snapshot undefined when no process answers */
    async seen(
      slot: number,
      keys: readonly string[],
      snapshot: () => Promise<ProcessSnapshot | undefined>,
    ): Promise<DeviceSeen[]> {
      let before: Kept | undefined = last.get(slot);
      if (!before) {
        before = await snapshot();
        await sleep(handshakeMs);
      }
      const now = await snapshot();
      if (!now) return [];
      const replaced = new Map(before?.replaced);
      for (const keyId of replacedBetween(before ?? now, now))
        replaced.set(keyId, (replaced.get(keyId) ?? 0) + 1);
      keep(slot, { ...now, replaced });
      const seen = devicesOf(before ?? now, now, keys, replaced);
      return before?.refused ? [...seen, { outcome: 'refused' }] : seen;
    },

    /** Keeps a refusal that would be lost with the restart of the process. */
    recordRestart(slot: number, snapshot: ProcessSnapshot): void {
      const before = last.get(slot);
      if (before && hasRefused(before, snapshot)) keep(slot, { ...snapshot, refused: true });
    },
  };
}
