import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceSeen } from '@fixpoint/contract/agent.ts';
import type { ProcessSnapshot } from './management.ts';

/** A handshake over a slow line takes two seconds. */
const HANDSHAKE_MS = 3_000;
/** The look before is good for so long: whoever has come and gone since then is none who was refused. */
const FORGET_MS = 30_000;

/** Somebody was answered and sent away, where nobody is who could have been answered. */
const hasRefused = (before: ProcessSnapshot, now: ProcessSnapshot): boolean =>
  before.pid === now.pid && before.started.length === 0 && now.started.length === 0 && now.sent > before.sent;

/**
 * What two looks at a process say of the devices that try to connect. Pure.
 *
 * A certificate that is not taken (of a file that was revoked, has ended or has not started) leaves nothing behind: the
 * process closes at once. What shows is that it has sent something, and nobody is there. A handshake that stands still has
 * a number and no name: what the process sends does not arrive, or the device does not believe it.
 * @param keys ids that are let in
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
  // As many as an answer takes.
  return [...names.values()].slice(0, 64);
}

/**
 * Looks at the devices of a slot's process when somebody asks. Nothing is looked at, or kept, unless somebody does; and then
 * one look for half a minute, in memory.
 */
export function createDevices(handshakeMs = HANDSHAKE_MS, forgetMs = FORGET_MS) {
  /** `refused`: before its process restarted. */
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

    /** The process of a slot is about to restart, and with it what it has sent. */
    recordRestart(slot: number, snapshot: ProcessSnapshot): void {
      const before = last.get(slot);
      if (before && hasRefused(before, snapshot)) keep(slot, { ...snapshot, refused: true });
    },
  };
}
