import type { NextAction } from '@fixpoint/contract/calls/paying.ts';
import type { OpenPayment } from '../../../shop/pay-method.ts';

type Scan = Extract<NextAction, { kind: 'scan' }>;

/** State of the screen during a payment elsewhere. */
export type ScanState =
  /** A code to scan. `endsAt` by this browser's clock; `gone`: money seen before was taken back. */
  | { step: 'scan'; nextAction: Scan; endsAt: number; prepaid: OpenPayment['prepaid']; gone: boolean }
  /** The money was seen but is not final. */
  | { step: 'wait'; seen: Extract<NextAction, { kind: 'wait' }>['seen'] }
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
  const nextAction = payment?.nextAction;
  if (nextAction?.kind === 'wait') return { step: 'wait', seen: nextAction.seen };
  if (nextAction?.kind !== 'scan') return { step: 'over' };
  const gone = before?.step === 'wait' || (before?.step === 'scan' && before.gone);
  const endsAt = now + (payment?.endsIn ?? 0) * 1000;
  return { step: 'scan', nextAction, endsAt, prepaid: payment?.prepaid, gone };
}
