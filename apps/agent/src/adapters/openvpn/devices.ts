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
 * Compares two snapshots of a process. Pure. A refused certificate (revoked, expired or not yet
 * valid) leaves no session, since the process closes at once; only sent bytes show it. A stalled
 * handshake has a number and no name: the device does not receive the answer, or does not trust it.
 * @param keys ids that are allowed
 */
export function devicesOf(
  before: ProcessSnapshot,
  now: ProcessSnapshot,
  keys: readonly string[],
): DeviceSeen[] {
  const was = new Set(before.pid === now.pid ? before.started.map(({ id }) => id) : []);
  const seen = now.started.flatMap(({ id, keyId, served }): DeviceSeen[] => {
    if (keyId === undefined) return was.has(id) ? [{ outcome: 'unanswered' }] : [];
    if (!keys.includes(keyId)) return [{ outcome: 'unknownKey', keyId }];
    return served ? [{ outcome: 'connected', keyId }] : [];
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
  /** `refused`: a refusal was seen before its process restarted. */
  const last = new Map<number, ProcessSnapshot & { refused?: boolean }>();

  function keep(slot: number, snapshot: ProcessSnapshot & { refused?: boolean }): void {
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
      let before = last.get(slot);
      if (!before) {
        before = await snapshot();
        await sleep(handshakeMs);
      }
      const now = await snapshot();
      if (!now) return [];
      keep(slot, now);
      const seen = devicesOf(before ?? now, now, keys);
      return before?.refused ? [...seen, { outcome: 'refused' }] : seen;
    },

    /** Keeps a refusal that would be lost with the restart of the process. */
    recordRestart(slot: number, snapshot: ProcessSnapshot): void {
      const before = last.get(slot);
      if (before && hasRefused(before, snapshot)) keep(slot, { ...snapshot, refused: true });
    },
  };
}
