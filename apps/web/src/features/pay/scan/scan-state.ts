import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import type { OpenPayment } from '../../../shop/pay-method.ts';

type Scan = Extract<Payable, { kind: 'scan' }>;

/** State of the screen during a payment elsewhere. */
export type ScanState =
  /** A code to scan. `endsAt` by this browser's clock; `gone`: money seen before was taken back. */
  | { step: 'scan'; payable: Scan; endsAt: number; prepaid: OpenPayment['prepaid']; gone: boolean }
  /** The money was seen but is not final. */
  | { step: 'wait'; seen: Extract<Payable, { kind: 'wait' }>['seen'] }
  /** The payment has expired. */
  | { step: 'over' };

/**
 * The next state.
 * @param now ms, by the clock of the countdown
 */
export function nextScanState(
  before: ScanState | undefined,
  payment: OpenPayment | undefined,
  now: number,
): ScanState {
  const payable = payment?.payable;
  if (payable?.kind === 'wait') return { step: 'wait', seen: payable.seen };
  if (payable?.kind !== 'scan') return { step: 'over' };
  const gone = before?.step === 'wait' || (before?.step === 'scan' && before.gone);
  const endsAt = now + (payment?.endsIn ?? 0) * 1000;
  return { step: 'scan', payable, endsAt, prepaid: payment?.prepaid, gone };
}
