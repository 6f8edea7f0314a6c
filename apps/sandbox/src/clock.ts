/** The sandbox's clock: wall time plus what the control interface added, so tests can let days pass. */
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

/** A clock that starts `offset` milliseconds ahead of wall time. */
export function createClock(offset = 0): Clock {
  let ahead = offset;
  const now = () => Date.now() + ahead;
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    advance: ms => {
      ahead += ms;
    },
    offset: () => ahead,
  };
}
