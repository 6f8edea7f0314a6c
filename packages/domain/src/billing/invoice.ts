import type { Transitions } from '../kernel/machine.ts';
import { type Minor, withVat } from '../kernel/money.ts';

/** `draft`: being put together. `open`: issued, waits for money. A number comes with the payment alone; what is not to be paid any more is `void`. */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

export const invoiceTransitions = {
  draft: ['open', 'paid', 'void'],
  open: ['paid', 'void'],
  paid: [],
  void: [],
} as const satisfies Transitions<InvoiceStatus>;

/** Whether money for it pays it; for any other it is excess. */
export const takesMoney = (status: InvoiceStatus): boolean => status === 'draft' || status === 'open';

export type Totals = { net: Minor; vat: Minor; total: Minor };

/** VAT is rounded half-up in each line; an invoice's totals are the sums of its lines. */
export const lineTotals = (currency: string, gross: Minor, vatRateBp: number): Totals => {
  const { price, net, vat } = withVat(currency, gross, vatRateBp);
  return { net, vat, total: price };
};

export const sumOf = (lines: readonly Totals[]): Totals =>
  lines.reduce(
    (sum, line) => ({ net: sum.net + line.net, vat: sum.vat + line.vat, total: sum.total + line.total }),
    { net: 0, vat: 0, total: 0 },
  );

/** What pays for an invoice besides the payment that settles it: credit, money that came before, unused days. */
export type Covered = { creditUsed: Minor; prepaid: Minor; prorated: Minor };

/** What of an invoice is left to a payment. */
export const restOf = (total: Minor, { creditUsed, prepaid, prorated }: Covered): Minor =>
  total - creditUsed - prepaid - prorated;

/** How an invoice was settled so far: what its payer reads below its total. `paid` is money, whenever it came. */
export type Settlement = { prorated: Minor; creditUsed: Minor; paid: Minor; due: Minor };

export function settlementOf(total: Minor, covered: Covered, isPaid: boolean): Settlement {
  const { creditUsed, prepaid, prorated } = covered;
  const rest = restOf(total, covered);
  return { prorated, creditUsed, paid: isPaid ? prepaid + rest : prepaid, due: isPaid ? 0 : rest };
}

/** Whether credit alone was asked to pay: no money came. Unused days may have paid the rest. */
export const byCreditAlone = ({ creditUsed, paid, due }: Settlement): boolean =>
  creditUsed > 0 && paid === 0 && due === 0;

/**
 * What becomes of money that a provider has received for an invoice.
 * @param due what the invoice asks for; undefined when it takes no money any more
 * @returns whether the invoice is paid, and what of the money is excess
 */
export function settle(due: Minor | undefined, received: Minor): { pays: boolean; unapplied: Minor } {
  const pays = due !== undefined && received >= due;
  return { pays, unapplied: pays ? received - due : received };
}
