import { normalEmail } from '@fixpoint/contract/fields.ts';
import { type ReactNode, useState } from 'react';
import { FormErrors } from '../../forms/form-frame.tsx';
import { useFormState } from '../../forms/form-state.ts';
import { useLate } from '../../lib/late.ts';
import { useLoggedIn, useMaintenance, useProfile } from '../../server/shop-state.ts';
import { useCards } from '../../shop/billing.ts';
import type { Choice, CycleCount, Places, Plans } from '../../shop/catalog.ts';
import { markOf } from '../../shop/decline.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Form } from '../../ui/form.tsx';
import { Split, Stack } from '../../ui/layout.tsx';
import { Step, Stepper } from '../../ui/stepper.tsx';
import { EmailField } from './email-field.tsx';
import { OrderClosed } from './order-closed.tsx';
import { dropOrderDraft, keepOrderDraft, readOrderDraft } from './order-draft.ts';
import type { OrderRecord } from './order-record.ts';
import { OrderSummary } from './order-summary.tsx';
import { PayAction } from './pay-action.tsx';
import { PayProblem } from './pay-problem.tsx';
import { PayStep } from './pay-step.tsx';
import { choosePlace, type Place, placeNames } from './place.ts';
import { PlaceStep } from './place-step.tsx';
import { type Chosen, PlanStep } from './plan-step.tsx';
import { Processing } from './processing.tsx';
import { type Standing, useCheckout, useProduct } from './use-checkout.ts';

export type CheckoutStart = {
  planId: string | undefined;
  cycleCount: CycleCount;
  place?: Place;
  resumed?: OrderRecord;
  /** How that order stands. */
  stands?: Standing;
  /** What is said to who came back without having paid. */
  notice?: TextKey;
};

type Props = {
  plans: Plans;
  places: Places;
  start: CheckoutStart;
  /** What it can be paid with; the first is chosen. */
  payMethods: readonly [PayMethod, ...PayMethod[]];
  /** The link that opens the terms. */
  termsLink: ReactNode;
  /** The link to log in, which leads back here. */
  logIn: ReactNode;
  onPlan: (chosen: Chosen) => void;
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** The longest that a paid order may stand behind its own button, ms. */
const PATIENCE_MS = 2000;

/** The order page: numbered steps on one page, the summary beside them, one button that says the amount. */
export function Checkout(props: Props) {
  const { plans, places, start, payMethods, termsLink, onDraft, onSettled } = props;
  const t = useText();
  const [draft] = useState(readOrderDraft);
  const [plan, setPlan] = useState(() => sellable(plans, start));
  const [wish, setWish] = useState<Partial<Place>>(start.place ?? draft.place ?? {});
  const place = choosePlace(places.offers, wish);
  const choice: Choice | undefined =
    plan.planId && place
      ? { planId: plan.planId, cycleCount: plan.cycleCount, ...place, currency: plans.currency }
      : undefined;
  const product = useProduct(choice);

  const profile = useProfile();
  const terms = useLegal('terms');
  const maintenance = useMaintenance();
  const [payBy, setPayBy] = useState(start.resumed?.method ?? payMethods[0].method);
  const payMethod = payMethods.find(({ method }) => method === payBy) ?? payMethods[0];
  const { resumed, stands, notice } = start;
  const checkout = useCheckout({
    resumed,
    stands,
    payMethods,
    onDraft,
    onSettled: reference => {
      dropOrderDraft();
      onSettled(reference);
    },
  });
  // Most payments are through within seconds: until then the page stays as it is (FU19).
  const late = useLate(checkout.phase === 'processing', PATIENCE_MS);
  const waits = late || (checkout.phase === 'processing' && checkout.meanwhile !== undefined);

  const loggedIn = useLoggedIn();
  const customerEmail = profile.data?.email;
  const priced = product.data;
  const saved = useCards(loggedIn);
  const credit = priced && saved.data && checkout.creditFor(priced, saved.data.credit);
  const byCredit = priced !== undefined && credit === priced.total.price;
  const missingChoice = () => [
    ...(plan.planId ? [] : [{ id: 'plan', text: t('order.plan.missing') }]),
    ...(place ? [] : [{ id: 'region', text: t('order.place.missing') }]),
  ];
  const form = useFormState({
    defaultValues: { email: resumed?.email ?? draft.email ?? '', terms: false },
    fields: [
      missingChoice,
      ...(loggedIn ? [] : (['email'] as const)),
      () => (byCredit ? [] : payMethod.missing()),
      'terms',
    ],
    send: async ({ email: typed }) => {
      if (!priced || !terms.data || (loggedIn && !customerEmail)) return;
      const email = customerEmail ?? normalEmail(typed);
      await checkout.pay(priced, { email, loggedIn, termsVersion: terms.data.version, credit }, payMethod);
    },
  });
  const waiting = [product, profile, terms, saved].some(query => query.isLoading);
  const busy = form.busy || product.isPlaceholderData || waiting;

  const { problem } = checkout;
  const failed = [product, terms, profile].find(query => query.error);
  if (problem?.kind === 'closed') return <OrderClosed status={problem.status} />;
  const later = choice ? 'current' : 'later';
  const laterLabel = t(choice ? 'order.step.current' : 'order.step.later');

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
                  loading={product.isLoading}
                  place={placeNames(places, place)}
                />
                <Checkbox
                  label={t('order.terms')}
                  hint={termsLink}
                  {...form.field('terms', agreed => agreed || 'form.terms.required')}
                />
                {problem && <PayProblem problem={problem} declined={payMethod.declined} />}
                {maintenance && <Alert type="warning">{t('app.maintenance')}</Alert>}
                {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
                <PayAction
                  priced={priced}
                  credit={credit}
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
              <Stepper>
                <PlanStep
                  number={1}
                  plans={plans.plans}
                  chosen={plan}
                  onChoose={chosen => {
                    setPlan(chosen);
                    props.onPlan(chosen);
                  }}
                />
                <PlaceStep
                  number={2}
                  places={places}
                  place={place}
                  onChoose={chosen => {
                    setWish(chosen);
                    keepOrderDraft({ place: chosen });
                  }}
                />
                <Step number={3} title={t('order.email.title')} state={later} stateLabel={laterLabel}>
                  {loggedIn ? (
                    <p>{t('order.email.customer', { email: customerEmail ?? '' })}</p>
                  ) : (
                    <Stack gap={3}>
                      {props.logIn}
                      <EmailField
                        field={form.field}
                        label={t('order.email.label')}
                        hint={t('order.email.hint')}
                        onMeant={email => form.form.setValue('email', email)}
                        onTyped={email => keepOrderDraft({ email })}
                      />
                    </Stack>
                  )}
                </Step>
                <Step number={4} title={t('order.payment.title')} state={later} stateLabel={laterLabel}>
                  {byCredit ? (
                    <p>{t('order.payment.byCredit')}</p>
                  ) : (
                    <PayStep
                      legend={t('order.payment.title')}
                      methods={payMethods}
                      chosen={payMethod}
                      onChoose={setPayBy}
                      errors={[...form.errors, ...(problem?.kind === 'refused' ? markOf(t, problem) : [])]}
                    />
                  )}
                </Step>
              </Stepper>
            </Stack>
          </Split>
        </Form>
      </div>
    </>
  );
}

/** The plan and cycle that the page was opened with, as far as they are sold. */
function sellable({ plans }: Plans, { planId, cycleCount }: CheckoutStart) {
  const plan = plans.find(({ id }) => id === planId);
  const offered = (plan ?? plans[0])?.prices.map(price => price.cycleCount) ?? [];
  return {
    planId: plan?.id,
    cycleCount: offered.includes(cycleCount) ? cycleCount : (offered[0] ?? cycleCount),
  };
}
