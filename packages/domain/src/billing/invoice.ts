import type { Transitions } from '../kernel/machine.ts';
import { type Minor, withVat } from '../kernel/money.ts';

/**
 * `draft`: being put together. `open`: issued, waits for money. `void`: is not to be paid any more.
 * The invoice gets its number when it is paid.
 */
export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

export const invoiceTransitions = {
  draft: ['open', 'paid', 'void'],
  open: ['paid', 'void'],
  paid: [],
  void: [],
} as const satisfies Transitions<InvoiceStatus>;

/**
 * Whether a payment settles an invoice in this state; in any other state the money stays unapplied.
 */
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

/**
 * Amounts that pay for an invoice besides its settling payment: credit, earlier payments, unused
 * days. `carriedOut`: the rest that no payment method takes, which a later invoice collects;
 * `carriedIn`: such rests of earlier invoices, which this one collects.
 */
export type Covered = {
  creditUsed: Minor;
  prepaid: Minor;
  prorated: Minor;
  carriedOut?: Minor;
  carriedIn?: Minor;
};

/** Amount of an invoice that is left to a payment. */
export const restOf = (
  total: Minor,
  { creditUsed, prepaid, prorated, carriedOut = 0, carriedIn = 0 }: Covered,
): Minor => total - creditUsed - prepaid - prorated - carriedOut + carriedIn;

/**
 * How an invoice is settled so far, as shown below its total. `paid` is money, whenever it came.
 */
export type Settlement = {
  prorated: Minor;
  creditUsed: Minor;
  paid: Minor;
  due: Minor;
  /** Absent: nothing is carried. */
  carriedOut?: Minor;
  carriedIn?: Minor;
};

export function settlementOf(total: Minor, covered: Covered, isPaid: boolean): Settlement {
  const { creditUsed, prepaid, prorated, carriedOut, carriedIn } = covered;
  const rest = restOf(total, covered);
  return {
    prorated,
    creditUsed,
    paid: isPaid ? prepaid + rest : prepaid,
    due: isPaid ? 0 : rest,
    ...(carriedOut && { carriedOut }),
    ...(carriedIn && { carriedIn }),
  };
}

/** Whether credit alone paid, without any money. Unused days may have paid the rest. */
export const byCreditAlone = ({ creditUsed, paid, due }: Settlement): boolean =>
  creditUsed > 0 && paid === 0 && due === 0;

/**
 * Applies money that a provider received for an invoice.
 * @param due amount due; undefined when the invoice takes no money any more
 * @returns whether the invoice is paid, and how much of the money is unapplied
 */
export function settle(due: Minor | undefined, received: Minor): { pays: boolean; unapplied: Minor } {
  const pays = due !== undefined && received >= due;
  return { pays, unapplied: pays ? received - due : received };
}
