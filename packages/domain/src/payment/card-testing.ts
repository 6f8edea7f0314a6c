import { workBeyond } from '../kernel/proof-of-work.ts';

/**
 * Limits on declined cards (S43): testing stolen cards takes many tries. Declines are counted per
 * order, device and network for an hour.
 */
export const COUNTED_SECONDS = 60 * 60;

/** Lifetime of the random name of a browser without a log-in: longer than declines are counted. */
export const NAMELESS_DEVICE_MS = 24 * 60 * 60 * 1000;

/** Declines under one name after which each further try costs a proof of work, whose price doubles. */
const PROOF_AFTER = 2;
/** Different declined cards after which an account may try no other one until the hour is over. */
const CARDS_AN_HOUR = 3;
/** Declines in the whole shop within an hour that indicate card testing from many places. */
const WAVE_AFTER = 40;

/** Units of work that the next try costs; 0 without a proof. */
export function workOfTry(declines: number, scale: number): number {
  const beyond = declines - PROOF_AFTER * scale;
  return beyond < 0 ? 0 : workBeyond(beyond, scale);
}
/** Whether an account has had too many different cards declined. What is due can be paid all the same. */
export const triedTooManyCards = (cards: number, scale: number): boolean => cards >= CARDS_AN_HOUR * scale;
export const isCardTestingWave = (declines: number, scale: number): boolean => declines >= WAVE_AFTER * scale;
