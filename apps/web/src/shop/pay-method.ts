import type { orderCalls } from '@fixpoint/contract/calls/order.ts';
import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import type { ReactNode } from 'react';
import type { TextKey } from './texts.ts';

export type OrderState = DataOf<(typeof orderCalls)['purchase']>;
/** A payment that is being made. */
export type OpenPayment = NonNullable<OrderState['payment']>;

/**
 * One way to pay, as the order page sees it: the page's side of the server's gateway for that method. It knows its
 * provider and no order, the checkout knows orders and no provider; the screen hands the one to the other.
 */
export type PayMethod = {
  /** As the contract calls it. */
  method: OpenPayment['method'];
  title: ReactNode;
  /** How its refusals are told; a card's words, unless it has its own. */
  declined?: TextKey;
  /** What its owner saved before, which pays without being typed or agreed to again. */
  saved?: { cardId: string } | { accountId: string } | undefined;
  /** What is still to be filled in, in the order on the screen. */
  missing(): FormError[];
  /** Its part of the form. @param errors what of `missing` is to be shown */
  fields(errors: readonly FormError[]): ReactNode;
  /**
   * Has the customer pay what the server prepared. May be asked again for the same order: the server prepares one
   * payment for it and no second. A method that leads to the provider's own page never answers; the order page goes on
   * with the order when it is come back to. Rejects when the method itself broke down.
   */
  confirm(payable: Payable, buyer: { email: string }, desk: PayDesk): Promise<PayAnswer>;
};

/** What a method that is paid elsewhere asks of its order meanwhile. */
export type PayDesk = {
  /** What it costs, less the credit that pays of it. */
  total: Pick<OrderState['total'], 'currency' | 'price'>;
  /** As it was when it began. */
  payment: OpenPayment;
  /** Pays by a card that the page has made. @returns what its bank asks, or why it was refused */
  byCard(card: string): Promise<Pick<OrderState, 'payment' | 'failure' | 'cause'>>;
  /** How it stands now; undefined when its time is over. What is paid waits: its page goes on by itself. */
  ask(): Promise<OpenPayment | undefined>;
  /** Offers it again: another code, today's rate. */
  renew(): Promise<OpenPayment | undefined>;
  /** The customer pays another way: back to the form. */
  leave(): void;
  /** Told whenever the server has news of it. @returns listens no more */
  listen(hear: () => void): () => void;
};

/** How it went, as far as the page can know: the server has the last word. */
export type PayAnswer =
  /** The provider has the payment. */
  | { kind: 'taken' }
  /** It may or may not have arrived. */
  | { kind: 'unknown' }
  /** Refused with a code of the catalogue; nothing was charged. */
  | { kind: 'declined'; code: string }
  /** Not done, and nothing was charged: why, in our words, or in `words` of the provider; `field`: what to correct. */
  | { kind: 'refused'; text: TextKey; words?: string | undefined; field?: string }
  /** The customer pays by other means, a phone or an app of his bank: `meanwhile` is shown until the order is paid. */
  | { kind: 'elsewhere'; meanwhile: ReactNode };
