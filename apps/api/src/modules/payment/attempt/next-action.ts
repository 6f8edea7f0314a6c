import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import type { AttemptStatus } from '@fixpoint/domain/payment/attempt.ts';
import type { PaymentMethod, Reported } from '../../../ports/payment-gateway.ts';

/** What of a payment its page shows: what to do next, and what has come for the same before. */
export const paymentView = (
  now: Date,
  open: OpenPayment,
  { prepaid, currency }: { prepaid: number; currency: string },
) => ({
  ...open,
  // Counted here: the page's own clock may be wrong.
  ...(open.payable.kind === 'scan' && { endsIn: secondsUntil(now, open.payable.expiresAt) }),
  ...(prepaid > 0 && { prepaid: { currency, amount: prepaid } }),
});

const secondsUntil = (now: Date, instant: string): number =>
  Math.max(0, Math.floor((Date.parse(instant) - now.getTime()) / 1000));

/** A payment that is being made, and what its page does next. */
export type OpenPayment = { method: PaymentMethod; payable: Payable };

/** What a page does with an attempt: what its provider says, or to wait while its money is looked at. */
export function openPaymentOf(
  method: PaymentMethod,
  status: AttemptStatus,
  reported: Reported | 'unknown',
): OpenPayment | undefined {
  const payable = reported === 'unknown' ? undefined : reported.payable;
  if (status === 'processing') return { method, payable: payable ?? { kind: 'wait' } };
  return status === 'open' && payable ? { method, payable } : undefined;
}
