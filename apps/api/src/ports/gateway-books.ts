import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import type { PaymentMethod, Provider } from './payment-gateway.ts';

/** Kinds of movements by a sale. */
export type SaleKind = 'payment' | 'refund' | 'dispute';

/**
 * Kind of a movement: of a sale, or of the operator's account at the gateway. `exchange`: a
 * conversion between two of its balances.
 */
export type MovementKind =
  | SaleKind
  | 'payout'
  | 'payoutReturned'
  | 'topUp'
  | 'bill'
  | 'adjustment'
  | 'reserve'
  | 'exchange';

/** One movement of a gateway's balance, in the currency that it settles in. */
export type GatewayMovement = {
  /** Unique at its gateway. */
  id: string;
  kind: MovementKind;
  /** The gateway's own word for the kind, such as a reporting category. */
  category: string;
  /** `ref` of the payment, refund, dispute or payout. */
  of?: string | undefined;
  at: Date;
  currency: string;
  /** Effect on the balance after fees, in integer hundredths. */
  net: number;
  /** Same effect in the currency of the sale, and the rate, where the gateway has converted it. */
  sold?: { currency: string; net: number; rate: number } | undefined;
  description?: string | undefined;
  /** Bank account of a payout, as the gateway names it. */
  destination?: string | undefined;
};

/** A payment received. */
export type GatewayPayment = {
  ref: string;
  /** Our ID there; absent for payments that are not ours. */
  attemptId?: string | undefined;
  currency: string;
  received: number;
  /** When it succeeded there; absent if the gateway does not say. */
  at?: Date | undefined;
  /** Effect on the balance in the currency of the sale, after fees; absent if not listed yet. */
  net?: number | undefined;
  /** The gateway lists it and did not tell its details: that it succeeded is known, not how much exactly. */
  unread?: true;
};

/** Payments at a gateway. `asOf`: newer ones may be missing; absent: complete. */
export type GatewayPayments = { asOf?: Date; payments: readonly GatewayPayment[] };

/**
 * A gateway's records of our money, for comparison with our books (X9). All amounts in integer
 * hundredths.
 */
export type GatewayStatement = GatewayPayments & {
  refunds: readonly {
    ref: string;
    refundId?: string | undefined;
    currency: string;
    amount: number;
    state: ReportedRefundState;
  }[];
  /**
   * Payments that a payer could still make; absent if they cannot be listed, or only we capture
   * them.
   */
  payable?: readonly { ref: string; attemptId?: string | undefined; currency: string; amount: number }[];
  /** References of disputes for polling; absent if payments cannot be disputed. */
  disputed?: readonly string[];
  /** Effects of disputes in the currency of the sale; `ref`: the dispute, or the disputed payment. */
  disputes: readonly { ref: string; currency: string; net: number }[];
  /** Everything that moved the balance. */
  movements: readonly GatewayMovement[];
  /** What the gateway holds; absent if it states no balance, or was not asked. */
  held?: HeldBalance;
};

/**
 * Balance by currency that a gateway states, now and before the first movement. `forbidden`: our key
 * may not read it; `moving`: it changed whenever it was read.
 */
export type HeldBalance =
  | { now: Readonly<Record<string, number>>; before: Readonly<Record<string, number>> }
  | 'forbidden'
  | 'moving';

/** A refund at its gateway, whoever made it. `paymentRef`: the payment or its charge. */
export type RefundThere = {
  paymentRef: string;
  currency: string;
  amount: number;
  state: ReportedRefundState;
};

/** A refund of a payment at its gateway. `refundId`: our id there, if it is ours. */
export type RefundOfPayment = Omit<RefundThere, 'paymentRef'> & {
  ref: string;
  refundId?: string | undefined;
};

/** Books of one gateway. */
export interface GatewayBooks {
  readonly provider: Provider;
  /**
   * Payment methods of this gateway alone, which identify our attempts there without a lookup per
   * gateway customer.
   */
  readonly methods: readonly PaymentMethod[];
  /** How far its records go back, in milliseconds; absent: to the beginning. */
  readonly reachMs?: number;
  /**
   * Payments since an instant, without their effects on the balance.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  payments(since: Date): Promise<GatewayPayments>;
  /**
   * Records since an instant, fetched page by page.
   * @param whole also what the gateway holds
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  read(since: Date, whole?: boolean): Promise<GatewayStatement>;
  /**
   * One refund; undefined if the gateway does not know it.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  refund(ref: string): Promise<RefundThere | undefined>;
  /**
   * All refunds of a payment, whoever made them.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  refundsOf(payment: { ref: string; chargeRef: string | null }): Promise<RefundOfPayment[]>;
}

const SALES: readonly MovementKind[] = ['payment', 'refund', 'dispute'] satisfies SaleKind[];
export const isSale = ({ kind }: Pick<GatewayMovement, 'kind'>): boolean => SALES.includes(kind);

/** Sums of movements by currency. */
export function sumsOf(moved: readonly { currency: string; net: number }[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { currency, net } of moved) sums[currency] = (sums[currency] ?? 0) + net;
  return sums;
}
