import type { NextAction } from '@fixpoint/contract/calls/paying.ts';
import type { AttemptStatus } from '@fixpoint/domain/payment/attempt.ts';
import type { PaymentMethod, Reported } from '../../../ports/payment-gateway.ts';

/** A payment that is being made, and the next action of its page. */
export type OpenPayment = { method: PaymentMethod; nextAction: NextAction };

/** The next action of an attempt: what its gateway says, or to wait while its money is processed. Undefined: none. */
export function openPaymentOf(
  method: PaymentMethod,
  status: AttemptStatus,
  reported: Reported | 'unknown',
): OpenPayment | undefined {
  const nextAction = reported === 'unknown' ? undefined : reported.nextAction;
  if (status === 'processing') return { method, nextAction: nextAction ?? { kind: 'wait' } };
  return status === 'open' && nextAction ? { method, nextAction } : undefined;
}

/** The payment that a page shows: its next action, and what has been paid of the invoice before. */
export const paymentView = (
  now: Date,
  open: OpenPayment,
  { prepaid, currency }: { prepaid: number; currency: string },
) => ({
  ...open,
  // Counted here: the page's own clock may be wrong.
  ...(open.nextAction.kind === 'scan' && { endsIn: secondsUntil(now, open.nextAction.expiresAt) }),
  ...(prepaid > 0 && { prepaid: { currency, amount: prepaid } }),
});

const secondsUntil = (now: Date, instant: string): number =>
  Math.max(0, Math.floor((Date.parse(instant) - now.getTime()) / 1000));
