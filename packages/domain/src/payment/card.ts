import { bangkokDate, monthStart } from '../kernel/bangkok.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The owner is notified this long before a card expires. */
const NOTIFY_BEFORE_MS = 30 * DAY_MS;
/** A card without a coming charge is checked again after this time. */
const CHECK_AGAIN_MS = 7 * DAY_MS;

/** Expiry as printed on a card. `expiryMonth` is 1–12. */
type Expiry = { expiryMonth: number; expiryYear: number };

/**
 * Whether a card counts as expired: its month must lie in the future. Stricter than banks, which
 * accept a card until the end of its month.
 */
export function isPast(card: Expiry, now: Date): boolean {
  const { year, month } = bangkokDate(now);
  return card.expiryYear < year || (card.expiryYear === year && card.expiryMonth <= month);
}

/** First instant at which a saved card cannot be charged any more: its month is over. */
export const cardEnd = ({ expiryMonth, expiryYear }: Expiry): Date => monthStart(expiryYear, expiryMonth + 1);

/** First instant at which the owner is notified that the card expires. */
export const notifyFrom = (card: Expiry): Date => new Date(cardEnd(card).getTime() - NOTIFY_BEFORE_MS);

/**
 * Decides whether to notify the owner of an expiring card: only if it expires before its next
 * charge.
 * @param charge time of the next charge; undefined: no renewal is coming
 * @returns `notify`, or when to check again
 */
export function checkCardExpiry(card: Expiry, charge: Date | undefined, now: Date): 'notify' | Date {
  if (!charge) return new Date(now.getTime() + CHECK_AGAIN_MS);
  if (charge >= cardEnd(card)) return 'notify';
  return new Date(Math.max(charge.getTime(), now.getTime()) + DAY_MS);
}

/** Letters and digits alone, so that neither case nor punctuation tells two names of a bank apart. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Whether a card is a debit card of a bank on the list. Only where its provider names funding and
 * issuer, whose full name may contain that of the list.
 */
export function isUnsupportedDebit(
  { funding, issuer }: { funding?: string | undefined; issuer?: string | undefined },
  unsupported: readonly string[],
): boolean {
  if (funding !== 'debit' || !issuer) return false;
  return unsupported.some(name => plainName(issuer).includes(plainName(name)));
}
