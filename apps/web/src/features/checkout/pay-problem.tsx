import { Alert } from '@fixpoint/ui/alert.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useStore } from '@fixpoint/ui/lib/store.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { cardFieldId } from '../../shop/card-field.ts';
import { overlay } from '../../shop/overlay.ts';
import type { PayMethod } from '../../shop/pay-method.ts';
import { useText } from '../../shop/texts.ts';
import { focusMethods } from './pay-step.tsx';
import { type Problem, problemText } from './problem-text.ts';

/** ID of the choice whose card is typed. */
const TYPED_CARD = 'card';

/**
 * Error of the payment, beside the pay button and scrolled into view. Focuses the field that it is
 * about, or itself if the focus was lost to the waiting page or the bank's frame.
 */
export function PayProblem(props: {
  problem: Problem;
  payMethods: readonly PayMethod[];
  payMethod: PayMethod;
  onChoose: (id: string) => void;
}) {
  const { problem, payMethods, payMethod, onChoose } = props;
  const t = useText();
  const isRefused = problem.kind === 'declined' || problem.kind === 'refused';
  // Of a saved card nothing can be corrected, so another one is typed.
  const changeCard = () => {
    flushSync(() => onChoose(TYPED_CARD));
    focusField(cardFieldId('number'));
  };
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
      <Alert
        type="error"
        title={t(
          problem.kind === 'interrupted' && problem.offline ? 'order.offline.title' : 'order.failed.title',
        )}
        live
        action={
          isRefused && (
            <Cluster gap={4}>
              {payMethod.method === 'card' && (
                <Link onFollow={changeCard}>{t('order.failed.changeCard')}</Link>
              )}
              {payMethods.length > 1 && <Link onFollow={focusMethods}>{t('order.scan.leave')}</Link>}
            </Cluster>
          )
        }
      >
        {problemText(t, problem)}
      </Alert>
    </div>
  );
}

/** Leads to its place on the page by script, because the hash of the address belongs to the router. */
const Link = ({ onFollow, children }: { onFollow: () => void; children: ReactNode }) => (
  <button type="button" className="link" onClick={onFollow}>
    {children}
  </button>
);

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
