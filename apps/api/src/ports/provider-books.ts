import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import type { PaymentMethod, Provider } from './payment-gateway.ts';

/**
 * A provider's records of our money, for comparison with our books (X9). All amounts in integer
 * hundredths; `net` is the effect of an item on our balance there, after fees; absent if it is not
 * booked yet, or in another currency.
 */
export type ProviderStatement = {
  /** Newer records may be missing; absent: complete. */
  asOf?: Date;
  /** Payments received. `attemptId`: our id there; absent for payments that are not ours. */
  payments: readonly {
    ref: string;
    attemptId?: string | undefined;
    currency: string;
    received: number;
    net?: number | undefined;
  }[];
  refunds: readonly {
    ref: string;
    refundId?: string | undefined;
    currency: string;
    amount: number;
    state: ReportedRefundState;
    net?: number | undefined;
  }[];
  /**
   * Payments that a payer could still make; absent if they cannot be listed, or only we capture
   * them.
   */
  payable?: readonly { ref: string; attemptId?: string | undefined; currency: string; amount: number }[];
  /** References of disputes for polling; absent if payments cannot be disputed. */
  disputed?: readonly string[];
  /** Effects of disputes on our balance; `ref`: the dispute, or the disputed payment. */
  disputes: readonly { ref: string; currency: string; net: number }[];
  /**
   * Effects of all payments, refunds and disputes on our balance by currency, whether listed above
   * or not.
   */
  balances: Readonly<Record<string, number>>;
  /** Other effects by currency: payouts, bills of the provider; absent without a balance there. */
  outside?: Readonly<Record<string, number>>;
};

/** A refund at its provider, whoever made it. `paymentRef`: the payment or its charge. */
export type RefundThere = {
  paymentRef: string;
  currency: string;
  amount: number;
  state: ReportedRefundState;
};

/** Books of one provider. */
export interface ProviderBooks {
  readonly provider: Provider;
  /**
   * Payment methods of this provider alone, which identify our attempts there without a lookup per
   * payer.
   */
  readonly methods: readonly PaymentMethod[];
  /** How far its records go back, in milliseconds; absent: to the beginning. */
  readonly reachMs?: number;
  /**
   * Records since an instant, fetched page by page.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  read(since: Date): Promise<ProviderStatement>;
  /**
   * One refund; undefined if the provider does not know it.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  refund(ref: string): Promise<RefundThere | undefined>;
  /**
   * Balance that the provider reports by currency; undefined if our key may not read it. Absent if
   * it holds no money.
   * @throws NamedFault('providerUnreachable') if no answer came
   */
  reportedBalance?(): Promise<Readonly<Record<string, number>> | undefined>;
}

/** Sums of movements by currency. */
export function sumsOf(
  moved: readonly { currency: string; net?: number | undefined }[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { currency, net = 0 } of moved) sums[currency] = (sums[currency] ?? 0) + net;
  return sums;
}
