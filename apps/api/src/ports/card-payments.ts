import type { AttemptStatus } from '@fixpoint/domain/payment/attempt.ts';

/** How an attempt stands at the provider now. */
export type ProviderPayment = {
  providerRef: string;
  providerCustomer: string | undefined;
  /** Our attempt, from the metadata that we sent. */
  attemptId: string | undefined;
  status: AttemptStatus;
  /** Nobody has tried to pay yet: its client secret can be handed out again. */
  untouched: boolean;
  /** Integer hundredths (already turned from the provider's unit). */
  amount: number;
  /** What really arrived; 0 before success. */
  received: number;
  currency: string;
  declineCode: string | undefined;
  clientSecret: string;
  card?: { ref: string; brand: string; last4: string; expiryMonth: number; expiryYear: number };
};

/**
 * Card payments at a provider. Every method may be repeated with the same keys without a second effect.
 * Throws `providerUnreachable` when no answer came: the outcome is then unknown, never "failed".
 */
export type CardPayments = {
  createCustomer(input: { key: string; email: string; language: string }): Promise<string>;
  createPayment(input: {
    attemptId: string;
    invoiceId: string;
    providerCustomer: string;
    currency: string;
    amount: number;
  }): Promise<ProviderPayment>;
  getPayment(providerRef: string): Promise<ProviderPayment>;
  /** For a lost answer: the payment of this attempt, if the provider has one. */
  findPayment(input: { providerCustomer: string; attemptId: string }): Promise<ProviderPayment | undefined>;
  /** Cancels what has not been paid; answers the state after it (succeeded, when the money was faster). */
  cancelPayment(providerRef: string): Promise<ProviderPayment>;
  refund(input: { key: string; providerRef: string; currency: string; amount: number }): Promise<{
    ref: string;
    status: 'pending' | 'succeeded' | 'failed';
  }>;
  /** Event behind a webhook, its signature checked over the raw body; undefined when it does not hold. */
  verifyEvent(
    rawBody: Buffer,
    signature: string | undefined,
  ): { id: string; type: string; objectRef: string } | undefined;
};
