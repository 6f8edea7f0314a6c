import type { Clock } from './clock.ts';

/** Tasks that wait for the sandbox's clock: booking, the bank's late answers, webhook retries. */
export type Schedule = {
  /** Runs `what` once the clock has reached `due` (ms since the epoch). */
  at(due: number, what: () => void): void;
  /** Runs what is due, earliest first. */
  catchUp(): void;
  /** Forgets all waiting tasks. */
  clear(): void;
};

/** Polling interval in ms while tasks wait, because a moved clock sends no notice. */
const POLL_MS = 100;

export function createSchedule(clock: Clock): Schedule {
  let waiting: { due: number; what: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const arm = () => {
    clearTimeout(timer);
    const next = waiting[0];
    if (!next) return;
    timer = setTimeout(catchUp, Math.min(Math.max(1, next.due - clock.now()), POLL_MS));
  };

  const catchUp = () => {
    try {
      for (let next = waiting[0]; next && next.due <= clock.now(); next = waiting[0]) {
        waiting.shift();
        next.what();
      }
    } finally {
      arm();
    }
  };

  return {
    at: (due, what) => {
      waiting.splice(waiting.findLastIndex(other => other.due <= due) + 1, 0, { due, what });
      arm();
    },
    catchUp,
    clear: () => {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
