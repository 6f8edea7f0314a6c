import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import type { OpenPayment } from '../../../shop/pay-method.ts';

type Scan = Extract<Payable, { kind: 'scan' }>;

/** What is on the screen while somebody pays elsewhere. */
export type Shown =
  /** A code to scan. `endsAt` by this browser's clock; `gone`: money that had been seen was taken back. */
  | { step: 'scan'; payable: Scan; endsAt: number; prepaid: OpenPayment['prepaid']; gone: boolean }
  /** The money is on its way and not there for good yet. */
  | { step: 'wait'; seen: Extract<Payable, { kind: 'wait' }>['seen'] }
  /** Its time is over. */
  | { step: 'over' };

/** What is shown next. @param now ms, of the clock that counts down */
export function nextShown(before: Shown | undefined, payment: OpenPayment | undefined, now: number): Shown {
  const payable = payment?.payable;
  if (payable?.kind === 'wait') return { step: 'wait', seen: payable.seen };
  if (payable?.kind !== 'scan') return { step: 'over' };
  const gone = before?.step === 'wait' || (before?.step === 'scan' && before.gone);
  const endsAt = now + (payment?.endsIn ?? 0) * 1000;
  return { step: 'scan', payable, endsAt, prepaid: payment?.prepaid, gone };
}
