/**
 * The only source of the present time. Tests move it by hand. A part that is given two has the shop's as `clock` and the
 * real one as `wall` (docs/decisions/0029).
 */
export type Clock = { now(): Date };
