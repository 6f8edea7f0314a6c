import { Alert } from '@fixpoint/ui/alert.tsx';
import { useEffect, useRef } from 'react';
import { type TextKey, useText } from '../../shop/texts.ts';
import { problemText } from './problem-text.ts';
import type { Problem } from './use-checkout.ts';

/**
 * Error of the payment, beside the pay button and scrolled into view. Focuses the field that it is
 * about, or itself if the focus was lost to the waiting page or the bank's frame.
 */
export function PayProblem({ problem, declined }: { problem: Problem; declined: TextKey | undefined }) {
  const t = useText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
    if (problem.kind === 'refused' && problem.field && focusField(problem.field)) return;
    if (isFocusLost()) place.current?.focus({ preventScroll: true });
  }, [problem]);
  return (
    <div ref={place} tabIndex={-1}>
      <Alert type="error" title={t('order.failed.title')} live>
        {problemText(t, problem, declined)}
      </Alert>
    </div>
  );
}

/** @returns whether the field is visible; a saved card shows none */
function focusField(id: string): boolean {
  const field = document.getElementById(id);
  if (!field?.checkVisibility()) return false;
  field.focus();
  // Centred, so that the error below it is visible.
  field.scrollIntoView({ block: 'center' });
  return true;
}

/** The focused element was hidden, or was in a foreign document. */
const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement instanceof HTMLIFrameElement;
