import type { Minor } from '../kernel/money.ts';
import { lineTotals, type Totals } from './invoice.ts';

/**
 * Totals of a credit note over `amount`. Its VAT is that of the amount, rounded half-up; the last
 * note of an invoice takes the remainder, so that all notes together equal the invoice.
 * @param amount gross, at most what is left
 * @param left totals of the invoice minus those of the existing notes
 */
export function creditOf(currency: string, amount: Minor, vatRateBp: number, left: Totals): Totals {
  if (amount === left.total) return left;
  const own = lineTotals(currency, amount, vatRateBp);
  // The VAT of many small notes can round up beyond the invoice's VAT.
  const vat = Math.min(own.vat, left.vat);
  return { net: amount - vat, vat, total: amount };
}
