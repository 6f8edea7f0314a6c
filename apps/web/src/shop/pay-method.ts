import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { NextAction } from '@fixpoint/contract/calls/paying.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import type { ReactNode } from 'react';
import type { TextKey } from './texts.ts';

export type OrderState = DataOf<(typeof orderCalls)['purchase']>;
/** A payment under way. */
export type OpenPayment = NonNullable<OrderState['payment']>;

/**
 * A payment method as the order page sees it: the page's side of the server's gateway. It knows its
 * provider but no order, the checkout knows orders but no provider; the screen connects the two.
 */
export type PayMethod = {
  /** Tells the choices of a page apart: a saved card is one of its own. */
  id: string;
  /** Name in the contract. */
  method: OpenPayment['method'];
  title: ReactNode;
  /** Logos, only to be seen. */
  marks?: ReactNode;
  /** Text of its declines. Default: that of cards. */
  declined?: TextKey;
  /** Whether a renewal can be charged to it; else its customer gets an invoice. */
  charged: boolean;
  /** A saved payment method, which pays without input or another consent. */
  saved?: { cardId: string } | { accountId: string } | undefined;
  /** The customer has begun to fill it in: it stays chosen when saved methods load later. */
  begun?: boolean;
  /** Its provider asks something, so that its part of the form shows whatever is chosen. */
  asking?: boolean;
  /** What is still to be filled in, in the order on the screen. */
  missing(): FormError[];
  /**
   * Its part of the form.
   * @param errors those of `missing` that are shown
   */
  fields?(errors: readonly FormError[]): ReactNode;
  /**
   * Pays what the server prepared; safe to repeat, because the server prepares one payment for an
   * order. A redirect method never resolves: the order page goes on when the customer comes back.
   * Rejects if the method itself failed.
   */
  confirm(nextAction: NextAction, buyer: { email: string }, handle: PaymentHandle): Promise<PayAnswer>;
  /** The payment has failed elsewhere: takes back what it still asks on the page. */
  abandon?(): void;
};

/** A method before the shop has said whether it charges renewals to it. */
export type OfferedMethod = Omit<PayMethod, 'charged'>;

/** What a method that is paid elsewhere needs of its order meanwhile. */
export type PaymentHandle = {
  /** Amount due, after credit. */
  total: Pick<OrderState['total'], 'currency' | 'price'>;
  /** The payment as it was at the start. */
  payment: OpenPayment;
  /**
   * Pays with a card that the page has created.
   * @returns the next action of its bank, or the cause of the decline
   */
  payByCard(card: string): Promise<Pick<OrderState, 'payment' | 'failure' | 'cause'>>;
  /**
   * Current state; undefined when the payment has expired. Stays pending once it is paid: the order
   * page goes on by itself.
   */
  ask(): Promise<OpenPayment | undefined>;
  /** Offers the payment again: a new code, at the current rate. */
  renew(): Promise<OpenPayment | undefined>;
  /** Keeps the page free of the overlay while the customer is asked something on it. */
  whileAsked<T>(ask: () => Promise<T>): Promise<T>;
  /** Back to the form: the customer pays another way. */
  cancel(): void;
  /**
   * Calls `listener` at every update of the server.
   * @returns unsubscribe
   */
  subscribe(listener: () => void): () => void;
};

/** Outcome as far as the page knows; the server decides. */
export type PayAnswer =
  /** The provider has accepted the payment. */
  | { kind: 'taken' }
  /** The payment may or may not have arrived. */
  | { kind: 'unknown' }
  /** Declined with a code of the catalogue; nothing was charged. */
  | { kind: 'declined'; code: string }
  /**
   * Refused, and nothing was charged. `providerText`: text of the provider, instead of ours;
   * `field`: what to correct.
   */
  | { kind: 'refused'; text: TextKey; providerText?: string | undefined; field?: string }
  /**
   * The customer pays on a phone or in their bank's app; `meanwhile` is shown until the order is
   * paid.
   */
  | { kind: 'elsewhere'; meanwhile: ReactNode };
