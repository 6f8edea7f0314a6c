import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceSeen } from '@fixpoint/contract/agent.ts';
import type { Glance } from './management.ts';

/** A handshake over a slow line takes two seconds. */
const HANDSHAKE_MS = 3_000;
/** The look before is good for so long: whoever has come and gone since then is none who was refused. */
const FORGET_MS = 30_000;

/** Somebody was answered and sent away, where nobody is who could have been answered. */
const hasRefused = (before: Glance, now: Glance): boolean =>
  before.pid === now.pid && before.begun.length === 0 && now.begun.length === 0 && now.sent > before.sent;

/**
 * What two looks at a process say of the devices that try to connect. Pure.
 *
 * A certificate that is not taken (of a file that was revoked, has ended or has not begun) leaves nothing behind: the
 * process closes at once. What shows is that it has sent something, and nobody is there. A handshake that stands still has
 * a number and no name: what the process sends does not arrive, or the device does not believe it.
 * @param keys ids that are let in
 */
export function devicesOf(before: Glance, now: Glance, keys: readonly string[]): DeviceSeen[] {
  const was = new Set(before.pid === now.pid ? before.begun.map(({ id }) => id) : []);
  const seen = now.begun.flatMap(({ id, keyId, served }): DeviceSeen[] => {
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
  const last = new Map<number, Glance & { refused?: boolean }>();

  function keep(slot: number, glance: Glance & { refused?: boolean }): void {
    last.set(slot, glance);
    setTimeout(() => {
      if (last.get(slot) === glance) last.delete(slot);
    }, forgetMs).unref();
  }

  return {
    /** @param glance undefined when no process answers */
    async seen(
      slot: number,
      keys: readonly string[],
      glance: () => Promise<Glance | undefined>,
    ): Promise<DeviceSeen[]> {
      let before = last.get(slot);
      if (!before) {
        before = await glance();
        await sleep(handshakeMs);
      }
      const now = await glance();
      if (!now) return [];
      keep(slot, now);
      const seen = devicesOf(before ?? now, now, keys);
      return before?.refused ? [...seen, { outcome: 'refused' }] : seen;
    },

    /** The process of a slot is about to restart, and with it what it has sent. */
    over(slot: number, glance: Glance): void {
      const before = last.get(slot);
      if (before && hasRefused(before, glance)) keep(slot, { ...glance, refused: true });
    },
  };
}
