/** Where the time comes from: the wall, or a clock that a test moves by hand. */
export type TimeSource = { now(): Date };

/** The sandbox's clock: its source plus what the control interface added, so tests can let days pass. */
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

/** A clock that starts `offset` milliseconds ahead of its source. */
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
