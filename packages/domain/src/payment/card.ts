import { bangkokDate, monthStart } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Its owner is told that it runs out so long before it does. */
const TELL_BEFORE_MS = 30 * DAY_MS;
/** A card that nothing is charged to is looked at again after this long. */
const LOOK_AGAIN_MS = 7 * DAY_MS;

/** Until when a card can be charged, as it stands on it. `expiryMonth` is 1–12. */
type Expiry = { expiryMonth: number; expiryYear: number };

/**
 * Whether a card is too old to be taken: its year must not be past, and in this year its month must
 * still be to come. Stricter than banks, which take it until the end of its month.
 */
export function isPast(card: Expiry, now: Date): boolean {
  const { year, month } = bangkokDate(now);
  return card.expiryYear < year || (card.expiryYear === year && card.expiryMonth <= month);
}

/** From when on a saved card cannot be charged any more: its month is over. */
export const cardEnd = ({ expiryMonth, expiryYear }: Expiry): Date => monthStart(expiryYear, expiryMonth + 1);

/** From when on its owner is told that it runs out. */
export const tellFrom = (card: Expiry): Date => new Date(cardEnd(card).getTime() - TELL_BEFORE_MS);

/**
 * What is done about a card that runs out soon: its owner is told if it does so before its next charge; else it is
 * looked at again, at the instant that is answered.
 * @param charge when it is charged next; undefined: no renewal is
 */
export function lookAtExpiry(card: Expiry, charge: Date | undefined, now: Date): 'tell' | Date {
  if (!charge) return new Date(now.getTime() + LOOK_AGAIN_MS);
  if (charge >= cardEnd(card)) return 'tell';
  return new Date(Math.max(charge.getTime(), now.getTime()) + DAY_MS);
}
