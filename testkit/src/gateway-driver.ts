import type { PaymentGateway, Reported } from '@fixpoint/api/ports/payment-gateway.ts';

export type Delivery = { body: Buffer; headers: Record<string, string | string[] | undefined> };

/** Calls of a gateway that a driver can make fail. */
export type GatewayCall =
  | 'createGatewayCustomer'
  | 'start'
  | 'ask'
  | 'close'
  | 'capture'
  | 'refund'
  | 'askRefund';

/**
 * How a call fails. `lost`: done, but no answer arrives. `silent`: not done, no answer. `garbled`: done, but the answer is
 * unreadable. `faulty`: not done; the provider answers with an error and repeats it for the key. `busy`: the provider
 * refuses for now (too many calls, or one with the same key is in progress).
 */
export type Failure = 'lost' | 'silent' | 'garbled' | 'faulty' | 'busy';

/** What the suite needs beside the gateway: control of the provider and the buyer's actions there. */
export type GatewayDriver = {
  gateway: PaymentGateway;
  /** Currencies of the method, among them one without a minor unit where the method takes one. */
  currencies: readonly string[];
  /** The provider charges no fee. */
  free?: boolean;
  /** Whether a payment can be searched by our own id; otherwise repeating the call finds it. */
  findsPayments: boolean;
  /** Whether webhook events of a refund carry our own id. */
  namesRefunds: boolean;
  /** Age in ms from which a webhook is refused; absent when the provider sets no limit. */
  staleAfterMs?: number;
  /** The buyer pays or approves. @throws when the provider does not allow it */
  pay(payment: Reported): Promise<void>;
  /** The provider declines the payment; absent when it never does. */
  decline?(payment: Reported): Promise<void>;
  /** Creates a card as the page's script does; absent when none is typed. @returns its id at the provider */
  makeCard?(kind?: 'refused' | 'asked'): Promise<string>;
  /** Makes a saved method fail at the provider, or saves one that fails. @returns its id there */
  spoil?(savedRef: string, gatewayCustomerRef: string): Promise<string>;
  /** The owner removes a saved method at the provider; absent when the provider sends no event about it. */
  withdraw?(savedRef: string): Promise<void>;
  /** The buyer's bank returns a refund that is pending or has arrived. */
  bounce(refundRef: string): Promise<void>;
  /** Makes calls of this kind fail until `calm`. */
  break(call: GatewayCall, how: Failure): Promise<void>;
  /**
   * Hides objects of the last minute from the provider's searches until `calm`; absent when its searches are always up to
   * date.
   */
  hide?(): Promise<void>;
  calm(): Promise<void>;
  /** Advances the clock of gateway and provider. */
  advance(ms: number): void;
  /** Webhooks in the order of arrival. */
  deliveries(): readonly Delivery[];
  /** Signs a body as the provider would now. */
  sign(body: Buffer): Promise<Delivery>;
  /** Signs the same body as the provider would for another account. */
  signForAnother(body: Buffer): Promise<Delivery>;
  stop(): Promise<void>;
};
