import { type ReactNode, useState } from 'react';
import { FormErrors } from '../../forms/form-frame.tsx';
import { useFormState } from '../../forms/form-state.ts';
import { useLate } from '../../lib/late.ts';
import { useMaintenance, useProfile } from '../../server/shop-state.ts';
import type { Places } from '../../shop/catalog.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Form } from '../../ui/form.tsx';
import { Section, Split, Stack } from '../../ui/layout.tsx';
import { PATIENCE_MS } from './checkout.tsx';
import { OrderClosed } from './order-closed.tsx';
import type { OrderRecord } from './order-record.ts';
import { OrderSummary } from './order-summary.tsx';
import { PayAction } from './pay-action.tsx';
import { PayProblem } from './pay-problem.tsx';
import { PayStep } from './pay-step.tsx';
import { placeNames } from './place.ts';
import { Processing } from './processing.tsx';
import { type Again, type Standing, useCheckout } from './use-checkout.ts';

type Props = {
  subscriptionId: string;
  offer: Again;
  places: Places;
  resumed?: OrderRecord | undefined;
  stands?: Standing | undefined;
  /** What is said to who came back without having paid. */
  notice?: TextKey | undefined;
  payMethods: readonly [PayMethod, ...PayMethod[]];
  /** The link that opens the terms. */
  termsLink: ReactNode;
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** A subscription that has ended is bought again: nothing is chosen but how to pay, and what becomes of its address is said. */
export function CheckoutAgain(props: Props) {
  const { subscriptionId, offer, places, resumed, stands, notice, payMethods } = props;
  const t = useText();
  const profile = useProfile();
  const terms = useLegal('terms');
  const maintenance = useMaintenance();
  const [payBy, setPayBy] = useState(resumed?.method ?? payMethods[0].method);
  const payMethod = payMethods.find(({ method }) => method === payBy) ?? payMethods[0];
  const { onDraft, onSettled } = props;
  const checkout = useCheckout({ again: subscriptionId, resumed, stands, payMethods, onDraft, onSettled });
  const late = useLate(checkout.phase === 'processing', PATIENCE_MS);
  const waits = late || (checkout.phase === 'processing' && checkout.meanwhile !== undefined);
  const form = useFormState({
    defaultValues: { terms: false },
    fields: [payMethod.missing, 'terms'],
    send: async () => {
      if (!terms.data || !profile.data) return;
      const { email } = profile.data;
      await checkout.pay(offer, { email, loggedIn: true, termsVersion: terms.data.version }, payMethod);
    },
  });
  const { problem } = checkout;
  const failed = [terms, profile].find(query => query.error);
  const busy = form.busy || terms.isLoading || profile.isLoading;
  if (problem?.kind === 'closed') return <OrderClosed status={problem.status} />;
  const { regionId, providerId, vendorId } = offer.product;
  return (
    <>
      {waits && (checkout.meanwhile ?? <Processing />)}
      <div hidden={waits}>
        <Form onSubmit={form.submit} busy={busy}>
          <Split
            side={
              <Stack gap={6}>
                <OrderSummary
                  priced={offer}
                  loading={false}
                  place={placeNames(places, { regionId, providerId, vendorId })}
                />
                <Checkbox
                  label={t('order.terms')}
                  hint={props.termsLink}
                  {...form.field('terms', agreed => agreed || 'form.terms.required')}
                />
                {problem && <PayProblem problem={problem} declined={payMethod.declined} />}
                {maintenance && <Alert type="warning">{t('app.maintenance')}</Alert>}
                {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
                <PayAction
                  priced={offer}
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
              {offer.held ? (
                <Alert type="info">{t('order.again.held', { address: offer.held.address })}</Alert>
              ) : (
                <Alert type="warning">{t('order.again.other')}</Alert>
              )}
              <Section level={2} title={t('order.payment.title')}>
                <PayStep
                  legend={t('order.payment.title')}
                  methods={payMethods}
                  chosen={payMethod}
                  onChoose={setPayBy}
                  errors={form.errors}
                />
              </Section>
            </Stack>
          </Split>
        </Form>
      </div>
    </>
  );
}
