import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import type { PaymentMethod, Provider } from './payment-gateway.ts';

/**
 * What a provider says of our money, for comparison with our own books (X9). All amounts in integer hundredths; `net` is
 * what an item moved on our balance there, fees taken off; absent while it is not booked, or in another currency.
 */
export type ProviderStatement = {
  /** What is newer may be missing; absent where it is as of now. */
  asOf?: Date;
  /** Payments whose money has come. `attemptId`: how we named it there; absent on what is none of ours. */
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
  /** Payments that a payer could still make there; absent where they cannot be listed, or are taken by us alone. */
  payable?: readonly { ref: string; attemptId?: string | undefined; currency: string; amount: number }[];
  /** Disputes, by the name that they are asked for; absent where nobody can dispute. */
  disputed?: readonly string[];
  /** What a dispute has moved on our balance; `ref`: its own name, or that of the disputed payment. */
  disputes: readonly { ref: string; currency: string; net: number }[];
  /** What payments, refunds and disputes have moved on our balance, by currency: whatever moved it, named above or not. */
  balances: Readonly<Record<string, number>>;
  /** What else has moved it, by currency: payouts, bills of the provider's own; absent where it has no balance of ours. */
  outside?: Readonly<Record<string, number>>;
};

/** A refund as its provider has it, whoever made it. `paymentRef`: the payment, by the name that it or its charge has. */
export type RefundThere = {
  paymentRef: string;
  currency: string;
  amount: number;
  state: ReportedRefundState;
};

/** One for each provider. */
export interface ProviderBooks {
  readonly provider: Provider;
  /** How it is paid with, and nobody else: by these our attempts there are known without a look at each payer. */
  readonly methods: readonly PaymentMethod[];
  /** How far it looks back, in milliseconds; absent: to the beginning. */
  readonly reachMs?: number;
  /**
   * What it has begun since then, of a long time page by page.
   * @throws NamedFault('providerUnreachable') when no answer came
   */
  read(since: Date): Promise<ProviderStatement>;
  /**
   * One refund, by its name there; undefined where it knows none.
   * @throws NamedFault('providerUnreachable') when no answer came
   */
  refund(ref: string): Promise<RefundThere | undefined>;
  /**
   * What it says that it holds for us now, by currency; undefined where it does not let us ask. Absent where it holds nothing.
   * @throws NamedFault('providerUnreachable') when no answer came
   */
  held?(): Promise<Readonly<Record<string, number>> | undefined>;
}

/** What single movements make together, by currency. */
export function sumsOf(
  moved: readonly { currency: string; net?: number | undefined }[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { currency, net = 0 } of moved) sums[currency] = (sums[currency] ?? 0) + net;
  return sums;
}
