import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { parseMetadata } from '@fixpoint/contract/metadata.ts';
import { paidByCredit } from '@fixpoint/contract/minimum-charge.ts';
import { Refusal } from '@fixpoint/web-client/faults.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../server/api.ts';
import type { Choice, PricedProduct } from '../../shop/catalog.ts';
import type { OpenPayment, OrderState } from '../../shop/pay-method.ts';
import type { OrderRecord } from './order-record.ts';

/** The server's price for a choice. */
export const useProduct = (choice: Choice | undefined) =>
  useQuery({
    queryKey: ['product', choice],
    queryFn: () => api.order.getProduct({ body: choice! }),
    enabled: choice !== undefined,
    placeholderData: previous => previous,
  });

/** State of the order that the page came back to. */
export type OrderStanding = Pick<
  OrderState,
  'status' | 'total' | 'payment' | 'failure' | 'credit' | 'prorated'
>;
/**
 * `credit`: part of the price paid by credit, as shown; undefined while unknown. `prorated`: part
 * paid by unused days of another subscription. `company`: null for none, absent for the saved one.
 */
export type Buyer = {
  email: string;
  loggedIn: boolean;
  termsVersion: string;
  credit?: number | undefined;
  prorated: number;
  company?: BuyerDetails | null | undefined;
};

/** The subscription that is renewed, or gets another plan. */
export type ExistingSubscription = { id: string; planId?: string | undefined };

/** Text key if price, terms or order have changed since they were shown. */
export function outdatedPart(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  return error.fields.price ?? error.fields.termsVersion ?? error.fields.order;
}

/** Whether a field of the company is wrong: the form shows it beside the field. */
export const isAboutCompany = (error: unknown): boolean =>
  error instanceof Refusal && Object.keys(error.fields).some(field => field.startsWith('company.'));

/** Parts of the price paid without money. */
export type Covered = { credit?: number | undefined; prorated?: number | undefined };

/** The amount due. */
export const amountDue = (total: OrderState['total'], { credit = 0, prorated = 0 }: Covered) => ({
  ...total,
  price: total.price - credit - prorated,
});

export const productOf = (order: OrderRecord | undefined) =>
  order && parseMetadata(order.metadata)?.productId;
export const referenceOf = (order: OrderRecord | undefined) =>
  (order && parseMetadata(order.metadata)?.reference) ?? '';

/** A payment that was begun before the page was opened and continues by itself. */
export function begunPayment(
  standing: OrderStanding | undefined,
  methodOf: (payment: OpenPayment) => unknown,
): OpenPayment | undefined {
  const payment = standing?.status === 'awaitingPayment' ? standing.payment : undefined;
  const kind = payment?.nextAction.kind;
  return kind === 'wait' || (kind === 'scan' && methodOf(payment!)) ? payment : undefined;
}

export type Credit = { currency: string; amount: number };

/**
 * Parts of a price paid without money: by unused days and by credit, as reserved by the order, else
 * what is available.
 */
export function coverOf({ total }: PricedProduct, reserved: Covered, unused = 0) {
  const prorated = reserved.prorated || Math.min(unused, total.price);
  return {
    prorated,
    credit(available: readonly Credit[]): number {
      if (reserved.credit) return reserved.credit;
      const amount = available.find(({ currency }) => currency === total.currency)?.amount ?? 0;
      return paidByCredit(total.currency, total.price - prorated, amount);
    },
  };
}
