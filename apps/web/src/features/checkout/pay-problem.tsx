import { useEffect, useRef } from 'react';
import { type TextKey, useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { problemText } from './problem-text.ts';
import type { Problem } from './use-checkout.ts';

/** Why the payment did not go through, beside its button; in view, also when the page waited at its top before. */
export function PayProblem({ problem, declined }: { problem: Problem; declined: TextKey | undefined }) {
  const t = useText();
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another problem is another message
  useEffect(() => void place.current?.scrollIntoView({ block: 'nearest' }), [problem]);
  return (
    <div ref={place}>
      <Alert type="error" title={t('order.failed.title')} live>
        {problemText(t, problem, declined)}
      </Alert>
    </div>
  );
}
