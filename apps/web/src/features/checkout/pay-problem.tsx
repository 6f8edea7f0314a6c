import { Alert } from '@fixpoint/ui/alert.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { useEffect, useRef } from 'react';
import { overlay } from '../../shop/overlay.ts';
import { useText } from '../../shop/texts.ts';
import { type Problem, problemText } from './problem-text.ts';

/**
 * Error of the payment, beside the pay button and scrolled into view. Focuses the field that it is
 * about, or itself if the focus was lost to the waiting page or the bank's frame.
 */
export function PayProblem({ problem }: { problem: Problem }) {
  const t = useText();
  const isCovered = useStore(overlay) !== undefined;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Nothing below the overlay can take the focus.
    if (isCovered) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    if (problem.kind === 'refused' && problem.field && focusField(problem.field)) return;
    if (isFocusLost()) place.current?.focus({ preventScroll: true });
  }, [problem, isCovered]);
  return (
    <div ref={place} tabIndex={-1}>
      <Alert type="error" title={t('order.failed.title')} live>
        {problemText(t, problem)}
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
