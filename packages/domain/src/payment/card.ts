import { bangkokDate } from '../kernel/bangkok.ts';

/**
 * Whether a card is too old to be taken (W44, O12): its year must not be past, and in this year its month must
 * still be to come. Stricter than banks, which take it until the end of its month.
 */
export function isPast(card: { expiryMonth: number; expiryYear: number }, now: Date): boolean {
  const { year, month } = bangkokDate(now);
  return card.expiryYear < year || (card.expiryYear === year && card.expiryMonth <= month);
}
