import { isTransient } from '@fixpoint/web-client/faults.ts';
import { useEffect, useEffectEvent } from 'react';
import { refusalText } from '../../shop/decline.ts';
import { errorMessage } from '../../shop/error-message.ts';
import { declineText, showPaymentFailure, storePaymentFailure } from '../../shop/payment-failure.ts';
import { type TextKey, type Translate, translate } from '../../shop/texts.ts';
import type { PayOutcome } from './pay.ts';

/** Why an order or invoice is not paid. */
export type Problem =
  /** `declined`: text of its method, where that is no card. */
  | (Extract<PayOutcome, { kind: 'declined' }> & { declined?: TextKey | undefined })
  | Extract<PayOutcome, { kind: 'refused' | 'closed' }>
  /** Price, terms or order have changed since they were shown; `text` is the key of the message. */
  | { kind: 'outdated'; text: string }
  /** Any other failure on the way. `offline`: the device had no connection. */
  | { kind: 'interrupted'; error: unknown; offline: boolean };

export type FailedPayment = Extract<Problem, { kind: 'declined' | 'refused' | 'closed' }>;

/** Error text by cause: check the data, try another card, ask the bank, wait. */
export function problemText(t: Translate, problem: Problem): string {
  switch (problem.kind) {
    case 'declined':
      return declineText(problem.code, problem.declined);
    case 'refused':
      return refusalText(t, problem);
    case 'outdated':
      return t(problem.text as TextKey);
    case 'interrupted':
      return problem.offline ? t('order.offline') : errorMessage(problem.error);
    case 'closed':
      return t(problem.status === 'refunded' ? 'order.refunded.title' : 'order.expired.title');
  }
}

/** The problem of a payment that ended without an answer about it. */
export const interrupted = (error: unknown): Problem => ({
  kind: 'interrupted',
  error,
  offline: isTransient(error) && !navigator.onLine,
});

/** Takes the notice of a missing connection away when the device is connected again. */
export function useBackOnline(problem: Problem | undefined, onBack: () => void): void {
  const isOffline = problem?.kind === 'interrupted' && problem.offline;
  const back = useEffectEvent(onBack);
  useEffect(() => {
    if (!isOffline) return;
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [isOffline]);
}

/** Shows a payment that failed as a snack; the box beside the pay button says the same. */
export function showFailedPayment(problem: FailedPayment) {
  const text = () => problemText(translate, problem);
  // A decline by 2002 alone says nothing that could be stored.
  if (problem.kind === 'refused') storePaymentFailure(text);
  showPaymentFailure(text());
}
