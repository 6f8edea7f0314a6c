/** Source of time: the system clock, or a test's clock. */
export type TimeSource = { now(): Date };

/** The sandbox's clock: its source plus what the control interface has added. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whole seconds since the epoch, the unit of every Stripe timestamp. */
  seconds(): number;
  /** Moves the clock forward only: going back would make events older than their causes. */
  advance(ms: number): void;
  /** Milliseconds added so far; saved with the state. */
  offset(): number;
};

/** Creates a clock that is `offset` milliseconds ahead of its source. */
export function createClock(offset = 0, source: TimeSource = { now: () => new Date() }): Clock {
  let ahead = offset;
  const now = () => source.now().getTime() + ahead;
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    advance: ms => {
      ahead += ms;
    },
    offset: () => ahead,
  };
}
