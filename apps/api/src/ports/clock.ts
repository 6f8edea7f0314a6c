/**
 * The only source of the current time; tests advance it. Code that needs both gets the shop clock
 * as `clock` and the system clock as `systemClock` (docs/decisions/0029).
 */
export type Clock = { now(): Date };
