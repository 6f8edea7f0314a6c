import type { Payable } from '@fixpoint/contract/calls/order.ts';
import type { OpenPayment } from '../../../shop/pay-method.ts';

type Scan = Extract<Payable, { kind: 'scan' }>;
type Wait = Extract<Payable, { kind: 'wait' }>;

/** What is on the screen while somebody pays elsewhere. */
export type Shown =
  /** A code to scan. `endsAt` by this browser's clock; `gone`: money that had been seen was taken back. */
  | { step: 'scan'; payable: Scan; endsAt: number; prepaid: OpenPayment['prepaid']; gone: boolean }
  /** The money was seen and is not for good yet. */
  | { step: 'wait'; payable: Wait }
  /** Nothing to pay: it is over, or paid, which the order page finds out by itself. */
  | { step: 'over' };

/** What is shown next. @param now ms, of the clock that counts down */
export function nextShown(before: Shown | undefined, payment: OpenPayment | undefined, now: number): Shown {
  const payable = payment?.payable;
  if (payable?.kind === 'wait') return { step: 'wait', payable };
  if (payable?.kind !== 'scan') return { step: 'over' };
  const gone = before?.step === 'wait' || (before?.step === 'scan' && before.gone);
  const endsAt = now + (payment?.endsIn ?? 0) * 1000;
  return { step: 'scan', payable, endsAt, prepaid: payment?.prepaid, gone };
}
