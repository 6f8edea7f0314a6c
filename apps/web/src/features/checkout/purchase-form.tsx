import type { ReactNode } from 'react';
import { FormErrors } from '../../forms/form-frame.tsx';
import { markOf } from '../../shop/decline.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { type TextKey, useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Form } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Split } from '../../ui/split.tsx';
import { OrderClosed } from './order-closed.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PayAction } from './pay-action.tsx';
import { PayProblem } from './pay-problem.tsx';
import { PayStep } from './pay-step.tsx';
import type { PlaceNames } from './place.ts';
import { Processing } from './processing.tsx';
import type { Purchase } from './use-purchase.ts';

type Props = {
  purchase: Purchase;
  place: PlaceNames;
  /** The link that opens the terms. */
  termsLink: ReactNode;
  /** What is said to who came back without having paid. */
  notice?: TextKey | undefined;
  children: ReactNode;
};

/** What is chosen, and beside it the summary, the terms, and the one button that says the amount. */
export function PurchaseForm({ purchase, place, termsLink, notice, children }: Props) {
  const t = useText();
  const { priced, credit, carried, replaces, checkout, waits, form, payMethod, busy, maintenance, failed } =
    purchase;
  const { problem } = checkout;
  if (problem?.kind === 'closed') {
    return <OrderClosed status={problem.status} ofOne={purchase.ofOne} />;
  }
  return (
    <>
      {waits && (checkout.meanwhile ?? <Processing />)}
      {/* Hidden, not taken away: a payment that fails after all finds everything as it was typed. */}
      <div hidden={waits}>
        <Form onSubmit={form.submit} busy={busy}>
          <Split
            side={
              <Stack gap={6}>
                <OrderSummary
                  priced={priced}
                  credit={credit}
                  carried={replaces && { ...replaces, amount: carried }}
                  loading={purchase.loading}
                  place={place}
                />
                {purchase.agreed ? (
                  <p className="muted">
                    {t('order.terms.agreed')} {termsLink}
                  </p>
                ) : (
                  <Checkbox
                    label={t('order.terms')}
                    hint={termsLink}
                    {...form.field('terms', ticked => ticked || 'form.terms.required')}
                  />
                )}
                {problem && <PayProblem problem={problem} declined={payMethod.declined} />}
                {maintenance && <Alert type="warning">{t('app.maintenance')}</Alert>}
                {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
                <PayAction
                  priced={priced}
                  covered={credit === undefined ? undefined : credit + carried}
                  paying={checkout.phase !== 'form'}
                  busy={busy}
                  disabled={maintenance}
                />
              </Stack>
            }
          >
            <Stack gap={8}>
              <FormErrors state={form} />
              {checkout.isOpen && !problem && <Alert type="info">{t(notice ?? 'order.unfinished')}</Alert>}
              {children}
            </Stack>
          </Split>
        </Form>
      </div>
    </>
  );
}

/** How it is paid; credit that is enough needs nothing else. */
export function PurchasePayment({ purchase }: { purchase: Purchase }) {
  const t = useText();
  const { byCredit, carried, payMethods, payMethod, setPayBy, form, checkout } = purchase;
  const { problem } = checkout;
  if (byCredit) return <p>{t(carried > 0 ? 'order.replace.covered' : 'order.payment.byCredit')}</p>;
  return (
    <PayStep
      legend={t('order.payment.title')}
      methods={payMethods}
      chosen={payMethod}
      onChoose={setPayBy}
      errors={[...form.errors, ...(problem?.kind === 'refused' ? markOf(t, problem) : [])]}
    />
  );
}
