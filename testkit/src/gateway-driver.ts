import type { PaymentGateway, Reported } from '@fixpoint/api/ports/payment-gateway.ts';

export type Delivery = { body: Buffer; headers: Record<string, string | string[] | undefined> };

/** Calls of a gateway that can go wrong. */
export type GatewayCall =
  | 'createGatewayCustomer'
  | 'start'
  | 'ask'
  | 'close'
  | 'capture'
  | 'refund'
  | 'askRefund';

/**
 * How a call goes wrong. `lost`: done, but the answer never comes; `silent`: nothing done and no answer; `garbled`: done,
 * and the answer cannot be read; `faulty`: nothing done, the provider answers with a fault of its own and repeats that
 * answer for the key; `busy`: it refuses for now (too many calls, or one with the same key is under way).
 */
export type Failure = 'lost' | 'silent' | 'garbled' | 'faulty' | 'busy';

/** What the suite needs of a method beside its gateway: the provider's side, and what a buyer does there. */
export type GatewayDriver = {
  gateway: PaymentGateway;
  /** Currencies that the method takes; one without a minor unit among them, where it takes such. */
  currencies: readonly string[];
  /** Its provider keeps nothing of the money. */
  free?: boolean;
  /** Whether a payment can be looked for by our own name for it; otherwise the same call leads to it. */
  findsPayments: boolean;
  /** Whether news of a refund repeat our own name for it. */
  namesRefunds: boolean;
  /** After so long a delivery is too old to be believed; absent where its provider sets no limit. */
  staleAfterMs?: number;
  /** The buyer pays what he was given, or agrees to. @throws when the provider does not let him */
  pay(payment: Reported): Promise<void>;
  /** The provider refuses the buyer's money; absent where it knows no such thing. */
  decline?(payment: Reported): Promise<void>;
  /** A card as the page's script makes one, good or not; absent where none is typed. @returns its name at the provider */
  makeCard?(kind?: 'refused' | 'asked'): Promise<string>;
  /** A payer's kept means of payment that his provider will refuse: this one, or another. @returns its name there */
  spoil?(savedRef: string, gatewayCustomerRef: string): Promise<string>;
  /** The owner of a kept means of payment withdraws it at the provider; absent where it does not tell. */
  withdraw?(savedRef: string): Promise<void>;
  /** The buyer's bank sends a refund back that had arrived or was on its way. */
  bounce(refundRef: string): Promise<void>;
  /** From now on calls of this kind go wrong so, until `calm`. */
  break(call: GatewayCall, how: Failure): Promise<void>;
  /**
   * From now on what was made within the last minute is not to be found by looking for it, until `calm`; absent where its
   * provider finds at once what it made.
   */
  hide?(): Promise<void>;
  calm(): Promise<void>;
  /** Moves the clock of gateway and provider. */
  advance(ms: number): void;
  /** Webhooks as they came, the oldest first. */
  deliveries(): readonly Delivery[];
  /** Signs a body as the provider would now. */
  sign(body: Buffer): Promise<Delivery>;
  /** The same news as the provider would send it to another account. */
  signForAnother(body: Buffer): Promise<Delivery>;
  stop(): Promise<void>;
};
