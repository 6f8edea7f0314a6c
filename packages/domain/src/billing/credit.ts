import type { Minor } from '../kernel/money.ts';
import { lineTotals, type Totals } from './invoice.ts';

/**
 * What a credit note over `amount` says. Its VAT is that of the amount, rounded half-up; the last note of an invoice
 * takes what the notes before have left, so that together they are the invoice.
 * @param amount gross, at most what is left
 * @param left what the invoice says less the notes that there are
 */
export function creditOf(currency: string, amount: Minor, vatRateBp: number, left: Totals): Totals {
  if (amount === left.total) return left;
  const own = lineTotals(currency, amount, vatRateBp);
  // Many small notes can round up together beyond the invoice's VAT.
  const vat = Math.min(own.vat, left.vat);
  return { net: amount - vat, vat, total: amount };
}
