import type { NextAction } from '@fixpoint/contract/calls/paying.ts';
import type { ReportedState } from '@fixpoint/domain/payment/attempt.ts';
import type { RefundRefusal, ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import { NamedFault } from '../kernel/refusal.ts';
import type { Tables } from './tables.ts';

export type PaymentMethod = Tables['attempt']['method'];
export type Provider = Tables['gateway_customer']['provider'];

/**
 * An attempt as sent to its provider. Calls with the same key must not differ, so only `email` may
 * change later.
 */
export type AttemptRef = {
  id: string;
  /** Number of the attempt for its invoice, from 1. */
  number: number;
  invoiceId: string;
  /** Payment reference that a payer quotes. */
  invoiceReference: string;
  currency: string;
  /** Integer hundredths. */
  amount: number;
  /** Idempotency key of this try. */
  key: string;
  /** The gateway customer; empty if the provider has none. */
  gatewayCustomerRef: string;
  /** For providers that contact the payer themselves. Part of the key of calls that send it. */
  email: string | null;
  /** Provider's reference of the saved method for an automatic charge; null: the payer pays. */
  savedRef: string | null;
  /** Whether a saved method was to be charged, even if its owner has removed it since. */
  bySaved: boolean;
  /** Begun by whoever had the link of the invoice's email, who may not be the customer: their method is not saved. */
  byLink?: boolean;
  /** The payment at the provider; null until an answer named it. */
  providerRef: string | null;
};

/** State of a payment at its provider. */
export type Reported = {
  /** Null: the request was refused, and nothing was created. */
  ref: string | null;
  state: ReportedState;
  /** Integer hundredths, converted from the provider's unit. */
  currency: string;
  amount: number;
  /** Amount received; 0 before success. */
  received: number;
  /** Single transfers, where a payer can send more than once. */
  transfers?: readonly Transfer[];
  /** Amount received and in transit, where that is visible. */
  seen?: number;
  /** Fee of the provider in the same currency; absent until it is known. */
  fee?: number;
  /** The provider's decline code. */
  decline?: string;
  /**
   * The saved method does not exist any more: the payment failed for that, and the method is not
   * offered again.
   */
  gone?: true;
  /**
   * The provider refused to create the payment and would refuse it again; it is `closed`. `field`:
   * what the payer can change; absent if the fault is ours.
   */
  notMade?: { field?: 'email' | 'paymentMethod' | undefined; cause: unknown };
  /** Number of declines by the payer's bank so far; absent if the provider does not count. */
  declines?: number;
  /** Object that refunds refer to, if it is not the payment itself. */
  chargeRef?: string;
  /** Reusable payment method; `later`: it will be known later. */
  method?: MethodFacts | 'later';
  /** The payer's account at the provider, while the shop may still decline to take the money. */
  payer?: string;
  /** Next action of the page. */
  nextAction?: NextAction;
};

/** Report of a payment that its provider refused to create. No money moves. */
export const nothingMade = ({ currency, amount }: AttemptRef): Reported => ({
  ref: null,
  state: 'closed',
  currency,
  amount,
  received: 0,
});

/** One transfer of money that has arrived for good. */
export type Transfer = { ref: string; amount: number };

/** A reusable method as its owner recognises it. The same card has the same `fingerprint`. */
export type MethodFacts = { ref: string; fingerprint: string } & (CardFacts | AccountFacts);
export type CardFacts = {
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
  /** Name on the card, if its owner entered it. */
  holder?: string;
};
/** A card at its provider. `funding`: `debit`, `credit` …; `issuer`: its bank, where the provider names it. */
export type Card = MethodFacts & CardFacts & { funding?: string; issuer?: string };
/** An account at the provider: its masked name. */
export type AccountFacts = { account: string };

/** State of saving a card. `asked`: the bank authenticates its owner in the page. */
export type ReportedSaving = {
  ref: string;
  /** Gateway customer that the card is saved for. */
  gatewayCustomerRef: string;
  /** Absent if the saving was started in the provider's dashboard. */
  begun?: SavingBegun;
  begunAt: Date;
} & ({ state: 'saved'; card: Card } | NotSaved);
/** `declines`: number of declines by a bank so far. */
type NotSaved = { declines: number } & (
  | { state: 'asked'; clientSecret: string }
  | { state: 'refused'; decline?: string }
);

/**
 * Context of a saving. It is stored at the provider, because another process may learn of the
 * result.
 */
export type SavingBegun = {
  /** Our id of the payer. */
  gatewayCustomerId: string;
  /** Language of the consent. */
  language: string;
  /** The saved method that it replaces. */
  replaces?: string;
  /** Its owner wants it to be the default. */
  asDefault?: true;
};

/** Calls for cards, either new from the provider's script or saved. */
export type CardCalls = {
  /** Reads a new card; undefined if the provider does not know it. */
  read(cardRef: string): Promise<Card | undefined>;
  /** Reads a saved card; undefined if it cannot be charged any more. */
  readSaved(cardRef: string): Promise<Card | undefined>;
  /**
   * Pays an open payment with a card, once per card. Its owner is present and may be authenticated
   * by the bank.
   */
  pay(attempt: AttemptRef, cardRef: string): Promise<Reported>;
  /**
   * Saves a card for its owner, once per key.
   * @throws UnknownGatewayCustomer
   */
  save(card: {
    ref: string;
    gatewayCustomerRef: string;
    key: string;
    begun: SavingBegun;
  }): Promise<ReportedSaving>;
  askSaving(ref: string): Promise<ReportedSaving | undefined>;
  /** Cancels a saving; does nothing if the card is saved already. */
  endSaving(ref: string): Promise<void>;
};

export type RefundRef = {
  id: string;
  key: string;
  /** The refunded payment, and its charge if that is a separate object. */
  paymentRef: string;
  chargeRef: string | null;
  currency: string;
  amount: number;
  providerRef: string | null;
};
/**
 * Information needed from a payee before a refund: their bank, in reply to the provider's email, or
 * an address on its page.
 */
export type RefundAsks = { kind: 'bank' } | { kind: 'address'; url: string };
export type ReportedRefund = {
  ref: string;
  state: ReportedRefundState;
  failure?: string;
  asks?: RefundAsks;
};

/**
 * A refund that its provider refused to create; nothing was sent. `never`: it refuses for good, and
 * still holds the money. `gone`: that money has left already. `disputed`: while or since the payment
 * is disputed. `later`: it may accept another try. `failure`: the provider's code.
 */
export type RefusedRefund = { refused: RefundRefusal; failure: string };

/** State of a dispute at its provider. Amounts in integer hundredths. */
export type ReportedDispute = {
  ref: string;
  /** The payment, named by its attempt or charge. */
  paymentRef: string;
  state: 'inquiry' | 'open' | 'won' | 'lost';
  currency: string;
  amount: number;
  /** Amount withheld from our balance now, and the fee of the dispute. */
  withdrawn: number;
  fee: number;
  /** The provider's reason code. */
  reason: string;
  respondBy: Date | null;
  /** The provider refunds nothing of the payment, whatever the dispute's state. */
  blocksRefunds?: boolean;
};

/** A webhook event: a hint to poll the provider, never a fact. */
export type WebhookEvent = {
  eventId: string;
  type: string;
  /**
   * `method`: a saved method has changed or cannot be charged any more; `saving`: a saving has
   * ended.
   */
  about: 'payment' | 'refund' | 'dispute' | 'method' | 'saving';
  /** The object at the provider. */
  ref: string;
  /** Our own id (of an attempt or refund), if the provider repeats it. */
  ours: string | null;
  /** It says that money has moved. An alert is raised if it belongs to nothing of ours. */
  moved: boolean;
};

/**
 * The gateway customer was deleted at the provider. Nothing was created; a new one can be created.
 */
export class UnknownGatewayCustomer extends NamedFault {
  constructor(options: ErrorOptions) {
    super('providerUnreachable', options);
  }
}

/**
 * Port of a payment method. The provider is polled and never presumed: a missing answer leads to
 * the same poll or to the same call with the same key. Every gateway passes the gateway suite of
 * the testkit.
 *
 * All calls throw `NamedFault('providerUnreachable')` if no answer came or the provider is broken.
 */
export type PaymentGateway = GatewayCalls & (TakenByProvider | TakenByUs);

export type Prices = { then: number; now: number };

interface GatewayCalls {
  readonly method: PaymentMethod;
  readonly provider: Provider;
  /** Whether renewals can be charged automatically. */
  readonly renewsByItself: boolean;
  /**
   * Handling of unapplied payments: a refund by the original method, or credit because the source
   * is unknown. Only in the latter case can money arrive repeatedly and after the end.
   */
  readonly unapplied: 'refund' | 'credit';
  /**
   * Whether it takes a currency (ISO 4217) and an amount within its limits (`amount-limits.ts` in
   * packages/domain); `amount`: integer hundredths, absent: the currency alone.
   */
  takes(currency: string, amount?: number): boolean;
  /**
   * Learns whether it takes a currency, where only its provider knows: `takes` answers by it then.
   * Quick and safe to repeat; without an answer the currency counts as taken.
   */
  learn?(currency: string): Promise<void>;
  /** Creates the gateway customer, once per key; absent if the provider has none. */
  createGatewayCustomer?(payer: { id: string; key: string }): Promise<string>;
  /**
   * Creates the payment, or returns the one that the same key created before. A permanent refusal
   * is reported as `notMade`, which ends the attempt.
   * @throws UnknownGatewayCustomer, unless a saved method is charged, which is then refused
   */
  start(attempt: AttemptRef): Promise<Reported>;
  /**
   * Polls its state, also after a lost answer to `start`. Unknown: nothing was found, which proves
   * nothing.
   */
  ask(attempt: AttemptRef): Promise<Reported | 'unknown'>;
  /**
   * Price of the coin at which it counts the coins of a payment, and the price now, in integer
   * hundredths. Present only where they can differ.
   */
  prices?(attempt: AttemptRef): Promise<Prices>;
  /** Absent for methods without cards. */
  readonly cards?: CardCalls;
  /** Deletes a saved method; present if the provider saves any. Idempotent. */
  forget?(savedRef: string): Promise<void>;
  /** Creates the refund, or returns the one that the same key created before. */
  refund(refund: RefundRef): Promise<ReportedRefund | RefusedRefund>;
  askRefund(refund: RefundRef): Promise<ReportedRefund | 'unknown'>;
  /** Absent if payments cannot be disputed. */
  askDispute?(ref: string): Promise<ReportedDispute | 'unknown'>;
  /**
   * Relevant events of a webhook delivery. Verifies the signature over the raw bytes first.
   * @param network the sender's, by its hash
   */
  readWebhook(body: Buffer, headers: Headers, network: string): Promise<WebhookEvent[] | 'forged'>;
}
type Headers = Record<string, string | string[] | undefined>;

/**
 * The provider captures the money when the payer pays. `capture`: finishes a payment that its payer
 * has confirmed at their bank, at most once; returns its state afterwards.
 */
export type TakenByProvider = {
  /**
   * Closes an unpaid payment; returns its state afterwards (succeeded, if the money was faster).
   */
  close(attempt: AttemptRef): Promise<Reported | 'unknown'>;
  capture?(attempt: AttemptRef): Promise<Reported>;
};

/**
 * The payer only approves, and we capture the money. An approval that is not captured lapses at the
 * provider.
 */
type TakenByUs = {
  /**
   * Captures an approved payment, once per key; returns its state afterwards (open, if nobody has
   * approved).
   */
  capture(attempt: AttemptRef): Promise<Reported>;
  close?: never;
};

/** Gateways of this shop by payment method. */
export type Gateways = Partial<Record<PaymentMethod, PaymentGateway>>;

/** Whether this shop can charge a method while its owner is away. */
export const canBeCharged =
  (gateways: Gateways) =>
  (method: PaymentMethod): boolean =>
    gateways[method]?.renewsByItself === true;
