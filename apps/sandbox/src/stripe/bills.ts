import type Stripe from 'stripe';
import { book } from './booking.ts';
import type { StripeState } from './state.ts';

/**
 * What Stripe books besides the fee of a payment: a bill for one of its services, the tax on it, a
 * correction, and money that it holds in reserve. Names: `BalanceTransaction.type` of the SDK and
 * docs.stripe.com/reports/reporting-categories.
 */
const KINDS = {
  fee: { type: 'stripe_fee', reporting_category: 'fee', description: 'Radar for Fraud Teams' },
  tax: { type: 'tax_fee', reporting_category: 'tax', description: 'VAT on Stripe fees' },
  reserve: {
    type: 'reserved_funds',
    reporting_category: 'risk_reserved_funds',
    description: 'Funds held in reserve',
  },
  adjustment: { type: 'adjustment', reporting_category: 'other_adjustment', description: 'Correction' },
} as const satisfies Record<
  string,
  Pick<Stripe.BalanceTransaction, 'type' | 'reporting_category' | 'description'>
>;

export type BillKind = keyof typeof KINDS;
export const billKinds = Object.keys(KINDS) as [BillKind, ...BillKind[]];

/**
 * Books a bill of Stripe, which belongs to no payment.
 * @param amount to pay, in minor units; negative: Stripe pays the account
 */
export const bill = (
  state: StripeState,
  kind: BillKind,
  currency: string,
  amount: number,
  description: string = KINDS[kind].description,
): Stripe.BalanceTransaction =>
  book(state, { ...KINDS[kind], amount: -amount, fee: () => 0, currency, source: null, description });
