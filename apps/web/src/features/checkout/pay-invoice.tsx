import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Form } from '@fixpoint/ui/form.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { FormErrors } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useState } from 'react';
import { useProfile } from '../../server/profile.ts';
import { useLoggedIn, useMaintenance } from '../../server/shop-state.ts';
import { useCards } from '../../shop/billing.ts';
import { refusalErrors } from '../../shop/decline.ts';
import { useFormat } from '../../shop/format.ts';
import type { InvoiceCalls } from '../../shop/invoice-calls.ts';
import { useOverlay } from '../../shop/overlay.ts';
import type { PayMethod } from '../../shop/pay-method.ts';
import { useText } from '../../shop/texts.ts';
import { PayProblem } from './pay-problem.tsx';
import { chosenMethod, PayStep } from './pay-step.tsx';
import { Processing } from './processing.tsx';
import { useInvoicePayment } from './use-invoice-payment.ts';

/**
 * Pays an open invoice by any method; there is nothing else to choose.
 * @param props `last`: the method that paid the last time, chosen at first; `children`: what is paid
 */
export function PayInvoice(props: {
  invoice: { currency: string; amount: number };
  calls: InvoiceCalls;
  last?: PayMethod['method'] | undefined;
  payMethods: readonly [PayMethod, ...PayMethod[]];
  agreed: boolean;
  onOver: () => void;
  children: ReactNode;
}) {
  const { invoice, calls, payMethods, last, agreed, onOver, children } = props;
  const t = useText();
  const { money } = useFormat();
  const profile = useProfile();
  const maintenance = useMaintenance();
  const cards = useCards(useLoggedIn());
  const [payBy, setPayBy] = useState<string>();
  // Only PayPal redirects for consent.
  const method = chosenMethod(payMethods, payBy, agreed ? 'paypal' : last);
  const payment = useInvoicePayment({ invoice, calls, payMethods, agreed, onOver });
  const form = useFormState({
    defaultValues: {},
    fields: [method.missing],
    send: () => payment.pay(method, { email: profile.data?.email ?? '' }),
  });
  const amount = money(invoice.amount, invoice.currency);
  const { phase, problem, meanwhile } = payment;
  const waits = phase === 'processing';
  useOverlay(payment.covers ? t('order.paying', { amount }) : undefined);
  // Before both have loaded, it would ask for a new card although one is saved.
  const busy = form.busy || phase === 'paying' || profile.isLoading || cards.isLoading;
  return (
    <>
      {waits && (meanwhile ?? <Processing />)}
      {/* Hidden, not unmounted: if the payment fails after all, the input is still there. */}
      <div hidden={waits}>
        <Form onSubmit={form.submit} busy={busy}>
          <Stack gap={6}>
            {children}
            <FormErrors state={form} />
            <PayStep
              legend={t('order.payment.title')}
              methods={payMethods}
              chosen={method}
              onChoose={setPayBy}
              errors={[...form.errors, ...(problem?.kind === 'refused' ? refusalErrors(t, problem) : [])]}
              paying={phase !== 'form'}
            />
            {problem && (
              <PayProblem problem={problem} payMethods={payMethods} payMethod={method} onChoose={setPayBy} />
            )}
            {maintenance && <Alert type="warning">{t('app.maintenance')}</Alert>}
            <Cluster>
              <Button type="submit" variant="primary" size="l" busy={busy} disabled={maintenance}>
                {t(phase === 'paying' ? 'order.paying' : 'order.pay', { amount })}
              </Button>
            </Cluster>
          </Stack>
        </Form>
      </div>
    </>
  );
}
