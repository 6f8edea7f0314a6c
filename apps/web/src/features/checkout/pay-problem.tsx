import { Alert } from '@fixpoint/ui/alert.tsx';
import { useEffect, useRef } from 'react';
import { type TextKey, useText } from '../../shop/texts.ts';
import { problemText } from './problem-text.ts';
import type { Problem } from './use-checkout.ts';

/**
 * Why the payment did not go through, beside its button; in view, also when the page waited at its top before. Whoever has
 * no pointer goes on at the field that it is about, or here, where the waiting or the bank's question took the focus away.
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

/** @returns whether there is one to be seen: a saved card shows none */
function focusField(id: string): boolean {
  const field = document.getElementById(id);
  if (!field?.checkVisibility()) return false;
  field.focus();
  // With what is said below it.
  field.scrollIntoView({ block: 'center' });
  return true;
}

/** What had it is hidden, or was in a foreign document. */
const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement instanceof HTMLIFrameElement;
