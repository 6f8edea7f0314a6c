import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { z } from 'zod';

/** Returns the shop's time, as far as this host knows it. Tests pass their own. */
export type Clock = () => Date;

/** Clocks of a machine. */
export type MachineClock = {
  /** System clock. Anybody may set it, and it may be wrong. */
  systemClock(): Date;
  /** Id of the current boot. */
  boot: string;
  /** Ms since boot, including sleep. Nobody can set it. */
  upMs(): number;
};

/** Seconds of the system clock, by which OpenVPN dates its sessions. */
export const systemSeconds = (): number => Math.floor(Date.now() / 1000);

/** The only place of the agent that reads the time, beside {@link systemSeconds}. */
export const thisMachine = (): MachineClock => ({
  systemClock: () => new Date(),
  boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  upMs: () => Math.round(uptime() * 1000),
});

/**
 * A moment by the shop's clock (`shop`), the system clock (`wall`) and the uptime. Part of a saved
 * file.
 */
export const moment = z.object({
  shop: z.coerce.date(),
  wall: z.coerce.date(),
  boot: z.string(),
  upMs: z.number(),
});
export type Moment = z.infer<typeof moment>;

/** Jump of the system clock in ms that is reported as a change instead of a correction. */
const CLOCK_CHANGE_MS = 60_000;

/**
 * Clock that does not follow the system clock: the shop's last known time plus the uptime since. A
 * wrong system clock must end nobody's service (decision 54).
 */
export function createTime(machine: MachineClock) {
  let heard: Moment | undefined;
  const offset = () => machine.systemClock().getTime() - machine.upMs();
  let before = offset();

  /**
   * Returns ms since a moment. After a reboot only the system clock knows how long the machine was
   * off; it is trusted, but never backwards.
   */
  function since(then: Moment): number {
    const up = machine.upMs() - then.upMs;
    if (then.boot === machine.boot && up >= 0) return up;
    return Math.max(0, machine.systemClock().getTime() - then.wall.getTime());
  }

  const now = (): Date => (heard ? new Date(heard.shop.getTime() + since(heard)) : machine.systemClock());

  return {
    now,
    since,
    moment: (): Moment => ({
      shop: now(),
      wall: machine.systemClock(),
      boot: machine.boot,
      upMs: machine.upMs(),
    }),
    /** Sets the shop's time at a moment; `now` is derived from it. */
    hear(then: Moment): void {
      heard = then;
    },
    /** Whether the system clock was set since the last call. */
    moved(): boolean {
      const [was, is] = [before, offset()];
      before = is;
      return Math.abs(is - was) >= CLOCK_CHANGE_MS;
    },
  };
}

export type Time = ReturnType<typeof createTime>;
