import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { z } from 'zod';

/** The time as the shop has it, as far as this host knows. Tests pass their own. */
export type Clock = () => Date;

/** What tells time on a machine. */
export type MachineClock = {
  /** The clock on the wall: anybody may set it, and it may be wrong. */
  systemClock(): Date;
  /** Which start of the machine this is. */
  boot: string;
  /** How long ago that was, sleep included: nobody can set it. */
  upMs(): number;
};

/** The only place of the agent that reads the time. */
export const thisMachine = (): MachineClock => ({
  systemClock: () => new Date(),
  boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  upMs: () => Math.round(uptime() * 1000),
});

/** A moment, as the shop and this machine tell it. */
export const moment = z.object({
  shop: z.coerce.date(),
  wall: z.coerce.date(),
  boot: z.string(),
  upMs: z.number(),
});
export type Moment = z.infer<typeof moment>;

/** The wall's clock is set by so much at once: it is told, and not only mended a little. */
const CLOCK_CHANGE_MS = 60_000;

/**
 * Time that does not follow the clock on the wall: what the shop said it was, and how long that is ago by what nobody can
 * set. A clock that is put wrong must end nobody's service (decision 54).
 */
export function createTime(machine: MachineClock) {
  let heard: Moment | undefined;
  const offset = () => machine.systemClock().getTime() - machine.upMs();
  let before = offset();

  /**
   * How long ago a moment was. After another start of the machine only the clock on the wall knows how long that was off:
   * it is believed, but never backwards.
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
    /** At this moment it was so late at the shop; the present follows from it. */
    hear(then: Moment): void {
      heard = then;
    },
    /** Whether the clock on the wall was set since this was asked last. */
    moved(): boolean {
      const [was, is] = [before, offset()];
      before = is;
      return Math.abs(is - was) >= CLOCK_CHANGE_MS;
    },
  };
}

export type Time = ReturnType<typeof createTime>;
