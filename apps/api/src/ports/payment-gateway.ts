import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import type { ReportedState } from '@fixpoint/domain/payment/attempt.ts';
import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import { NamedFault } from '../kernel/refusal.ts';
import type { Tables } from './tables.ts';

export type PaymentMethod = Tables['attempt']['method'];
export type Provider = Tables['gateway_customer']['provider'];

/** An attempt as its provider is told of it. Keyed calls must not differ, and a person can change nothing here but `email`. */
export type AttemptRef = {
  id: string;
  /** Which try for its invoice it is, from 1. */
  number: number;
  invoiceId: string;
  /** What a payer quotes. */
  invoiceReference: string;
  currency: string;
  /** Integer hundredths. */
  amount: number;
  /** Idempotency key of this try. */
  key: string;
  /** The payer, as the provider knows him; empty where it knows none. */
  gatewayCustomerRef: string;
  /** For a provider that has to reach the payer by itself: a call that says it has it in its key, too. */
  email: string | null;
  /** What it is paid with without its owner's hand, as the provider knows it; null: the payer is asked. */
  savedRef: string | null;
  /** Whether it was to be paid so, also where its owner has removed what he had saved since. */
  bySaved: boolean;
  /** The payment, as the provider knows it; null while no answer said so. */
  providerRef: string | null;
};

/** How a payment stands at its provider. */
export type Reported = {
  /** Null: what it was asked for was refused, and nothing made. */
  ref: string | null;
  state: ReportedState;
  /** Integer hundredths, already turned from the provider's unit. */
  currency: string;
  amount: number;
  /** What has arrived; 0 before success. */
  received: number;
  /** What it is made of, where a payer can send more than once. */
  transfers?: readonly Transfer[];
  /** What has arrived and what is on its way, where that can be seen. */
  seen?: number;
  /** What the provider keeps, in the same currency; absent while it does not say. */
  fee?: number;
  /** Its own word for a refusal. */
  decline?: string;
  /** What was saved is not there any more: it was refused for that, and is offered no longer. */
  gone?: true;
  /**
   * It was not made as it was asked for, and the same would be refused again: it is `closed`. `field`: what its payer can
   * choose otherwise; absent where it is ours to mend.
   */
  notMade?: { field?: 'email' | 'paymentMethod' | undefined; cause: unknown };
  /** How often the payer's bank has refused it so far; absent where nobody counts. */
  declines?: number;
  /** What refunds name, where that is not the payment itself. */
  chargeRef?: string;
  /** What was paid with, where it can be used again; `later`: it will be, and is not there yet. */
  method?: MethodFacts | 'later';
  /** What the page does next. */
  payable?: Payable;
};

/** A payment that its provider refused to make: nothing is there, and no money moves. */
export const nothingMade = ({ currency, amount }: AttemptRef): Reported => ({
  ref: null,
  state: 'closed',
  currency,
  amount,
  received: 0,
});

/** One sum of money that has arrived for good. */
export type Transfer = { ref: string; amount: number };

/** A method that can be used again, as its owner recognises it. `fingerprint`: the same card, the same print. */
export type MethodFacts = { ref: string; fingerprint: string } & (CardFacts | AccountFacts);
export type CardFacts = {
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
  /** The name on it, where its owner said it. */
  holder?: string;
};
/** A card, as its provider knows it. */
export type Card = MethodFacts & CardFacts;
/** An account at the provider: its name, masked. */
export type AccountFacts = { account: string };

/** How the saving of a card stands. `asked`: its bank asks its owner, who answers in the page. */
export type ReportedSaving = {
  ref: string;
  /** Whose card it becomes, as the provider knows him. */
  gatewayCustomerRef: string;
  /** Absent where somebody began it at the provider. */
  begun?: SavingBegun;
  begunAt: Date;
} & ({ state: 'saved'; card: Card } | NotSaved);
/** `declines`: how often a bank has refused a card of it so far. */
type NotSaved = { declines: number } & (
  | { state: 'asked'; clientSecret: string }
  | { state: 'refused'; decline?: string }
);

/** What was said as a saving began: whoever hears of its end need not be the page that began it. */
export type SavingBegun = {
  /** Our own name of the payer. */
  gatewayCustomerId: string;
  /** Of the sentence that its owner agreed to. */
  language: string;
  /** The saved method that it takes the place of. */
  replaces?: string;
};

/** What is done with a card that the provider's script made in the page, or that was saved before. */
export type CardCalls = {
  /** A card, before anything is done with it; undefined when the provider does not know it. */
  read(cardRef: string): Promise<Card | undefined>;
  /** One that was saved, as it is now; undefined when nobody can be charged by it any more. */
  readSaved(cardRef: string): Promise<Card | undefined>;
  /** Pays an open payment by it, once for a card; its owner is there and may be asked by his bank. */
  pay(attempt: AttemptRef, cardRef: string): Promise<Reported>;
  /**
   * Saves it for its owner, once for a key.
   * @throws UnknownGatewayCustomer
   */
  save(card: {
    ref: string;
    gatewayCustomerRef: string;
    key: string;
    begun: SavingBegun;
  }): Promise<ReportedSaving>;
  askSaving(ref: string): Promise<ReportedSaving | undefined>;
  /** No card is saved by it any more; nothing, where one has been. */
  endSaving(ref: string): Promise<void>;
};

export type RefundRef = {
  id: string;
  key: string;
  /** The payment that it gives back from, and its own name for that; null where they are one. */
  paymentRef: string;
  chargeRef: string | null;
  currency: string;
  amount: number;
  providerRef: string | null;
};
/** What a receiver has to say before his money can come: his bank to its provider's mail, an address on its page. */
export type RefundAsks = { kind: 'bank' } | { kind: 'address'; url: string };
export type ReportedRefund = {
  ref: string;
  state: ReportedRefundState;
  failure?: string;
  asks?: RefundAsks;
};

/** How a dispute stands at its provider. Amounts in integer hundredths. */
export type ReportedDispute = {
  ref: string;
  /** The payment, by the name that its attempt or its charge has. */
  paymentRef: string;
  state: 'inquiry' | 'open' | 'won' | 'lost';
  currency: string;
  amount: number;
  /** What is held back of our balance now, and what was taken for the dispute itself. */
  withdrawn: number;
  fee: number;
  /** The provider's own word for why. */
  reason: string;
  respondBy: Date | null;
};

/** Something happened at the provider: a hint to ask, never a fact. */
export type Notice = {
  eventId: string;
  type: string;
  /** `method`: what was saved has changed, or can no longer be charged; `saving`: one has come to its end. */
  about: 'payment' | 'refund' | 'dispute' | 'method' | 'saving';
  /** The object at the provider. */
  ref: string;
  /** Our own name of it (an attempt's or a refund's id), where the provider repeats it. */
  ours: string | null;
  /** It says that money has moved: nobody's then is somebody's matter. */
  moved: boolean;
};

/** A provider no longer knows its payer: somebody has deleted him there. Nothing was made; he can be introduced again. */
export class UnknownGatewayCustomer extends NamedFault {
  constructor(options: ErrorOptions) {
    super('providerUnreachable', options);
  }
}

/**
 * One for each payment method. A provider is asked, never believed and never presumed: no answer is no news, and leads to
 * the same question or to the same call with the same key. Every gateway passes the suite of the test kit.
 *
 * All calls throw `NamedFault('providerUnreachable')` when no answer came or the provider is broken.
 */
export type PaymentGateway = GatewayCalls & (TakenByProvider | TakenByUs);

interface GatewayCalls {
  readonly method: PaymentMethod;
  readonly provider: Provider;
  /** Whether a renewal can be charged without its customer's hand. */
  readonly renewsByItself: boolean;
  /**
   * What becomes of money that no invoice asked for: it goes back the way it came, or is its payer's credit, because
   * nobody knows where it came from. Only then can money come again, and after the end.
   */
  readonly unapplied: 'refund' | 'credit';
  /** Whether it can be paid in a currency (ISO 4217), and so little; `amount`: integer hundredths, absent: enough. */
  takes(currency: string, amount?: number): boolean;
  /** Makes the provider's own customer, once for a key; absent where it knows none. */
  createGatewayCustomer?(payer: { id: string; key: string }): Promise<string>;
  /**
   * Makes the payment, or answers the one that the same key made before; or that it is refused for good as it is asked for
   * (`notMade`), so that an attempt at it comes to its end.
   * @throws UnknownGatewayCustomer unless it is paid by what was saved, which is then refused
   */
  start(attempt: AttemptRef): Promise<Reported>;
  /** How it stands now, also when the answer to `start` was lost. Unknown: nothing is to be found, which proves nothing. */
  ask(attempt: AttemptRef): Promise<Reported | 'unknown'>;
  /** Absent where nothing is typed that a card has. */
  readonly cards?: CardCalls;
  /** What was kept is not to be used any more; present where something is kept. Done twice, it is done. */
  forget?(savedRef: string): Promise<void>;
  refund(refund: RefundRef): Promise<ReportedRefund>;
  askRefund(refund: RefundRef): Promise<ReportedRefund | 'unknown'>;
  /** Absent where nobody can dispute. */
  askDispute?(ref: string): Promise<ReportedDispute | 'unknown'>;
  /** The notices of a delivery that matter to us, its signature checked over the raw bytes first. */
  readWebhook(body: Buffer, headers: Headers): Promise<Notice[] | 'forged'>;
}
type Headers = Record<string, string | string[] | undefined>;

/** Money comes as soon as the payer pays. */
export type TakenByProvider = {
  /** Closes what nobody has paid; answers how it stands after it (succeeded, when the money was faster). */
  close(attempt: AttemptRef): Promise<Reported | 'unknown'>;
  capture?: never;
};

/** The payer only agrees (`approved`), and no money comes but by our own call: what we never capture is closed. */
type TakenByUs = {
  /** Takes what was agreed to, once for a key; answers how it stands after it (open, when nobody has agreed). */
  capture(attempt: AttemptRef): Promise<Reported>;
  close?: never;
};

/** The gateways that this shop has, by method. */
export type Gateways = Partial<Record<PaymentMethod, PaymentGateway>>;

/** Whether this shop can charge a method while its owner is away. */
export const canBeCharged =
  (gateways: Gateways) =>
  (method: PaymentMethod): boolean =>
    gateways[method]?.renewsByItself === true;
