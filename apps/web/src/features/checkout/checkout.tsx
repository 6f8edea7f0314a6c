import { emailRule, normalEmail } from '@fixpoint/contract/fields.ts';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { ruled, shownError } from '../../forms/form.ts';
import { useLoggedIn, useMaintenance, useProfile } from '../../server/shop-state.ts';
import type { Choice, CycleCount, Places, Plans } from '../../shop/catalog.ts';
import { useFormat } from '../../shop/format.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Form } from '../../ui/form.tsx';
import { Cluster, Split, Stack } from '../../ui/layout.tsx';
import { PayMark } from '../../ui/pay-mark.tsx';
import { Step, Stepper } from '../../ui/stepper.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CardFields } from './card-fields.tsx';
import { type CardField, cardFields } from './card-messages.ts';
import { OrderClosed } from './order-closed.tsx';
import type { OrderRecord } from './order-record.ts';
import { OrderSummary } from './order-summary.tsx';
import { PayProblem } from './pay-problem.tsx';
import { choosePlace, type Place, placeNames } from './place.ts';
import { PlaceStep } from './place-step.tsx';
import { PlanStep } from './plan-step.tsx';
import { Processing } from './processing.tsx';
import { cardFieldId, useCardForm } from './use-card-form.ts';
import { useCheckout, useProduct } from './use-checkout.ts';

export type CheckoutStart = {
  planId: string | undefined;
  cycleCount: CycleCount;
  place?: Place;
  resumed?: OrderRecord;
  mayBePaid: boolean;
};

type Props = {
  plans: Plans;
  places: Places;
  start: CheckoutStart;
  /** The link that opens the terms. */
  termsLink: ReactNode;
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** The order page: numbered steps on one page, the summary beside them, one button that says the amount. */
export function Checkout({ plans, places, start, termsLink, onDraft, onSettled }: Props) {
  const t = useText();
  const { money } = useFormat();
  const [plan, setPlan] = useState(() => sellable(plans, start));
  const [wish, setWish] = useState<Partial<Place>>(start.place ?? {});
  const place = choosePlace(places.offers, wish);
  const choice: Choice | undefined =
    plan.planId && place
      ? { planId: plan.planId, cycleCount: plan.cycleCount, ...place, currency: plans.currency }
      : undefined;
  const product = useProduct(choice);

  const profile = useProfile();
  const terms = useLegal('terms');
  const maintenance = useMaintenance();
  const card = useCardForm();
  const checkout = useCheckout({ resumed: start.resumed, mayBePaid: start.mayBePaid, onDraft, onSettled });
  const form = useForm({
    shouldFocusError: false,
    defaultValues: { email: start.resumed?.email ?? '', terms: false },
  });
  const [cardErrors, setCardErrors] = useState<Partial<Record<CardField, string>>>({});
  const [attempt, setAttempt] = useState(0);

  const loggedIn = useLoggedIn();
  const customerEmail = profile.data?.email;
  const priced = product.data;
  const busy = checkout.phase === 'paying';
  const waiting = [product, profile, terms].some(query => query.isLoading);
  const pricing = product.isPlaceholderData || waiting;
  const { email: emailError, terms: termsError } = form.formState.errors;

  const missingCardData = () => {
    const missing: Partial<Record<CardField, string>> = {};
    for (const field of cardFields) {
      const { complete, error } = card.fields[field];
      if (!complete) missing[field] = error ?? t(`order.card.${field}.missing`);
    }
    return missing;
  };
  const submit = async () => {
    const missing = missingCardData();
    setCardErrors(missing);
    const complete = choice && Object.keys(missing).length === 0;
    await form.handleSubmit(async ({ email: typed }) => {
      if (!complete || !priced || !terms.data || (loggedIn && !customerEmail)) return;
      const email = customerEmail ?? normalEmail(typed);
      const buyer = { email, loggedIn, termsVersion: terms.data.version };
      await checkout.pay(priced, buyer, card);
    })();
    setAttempt(count => count + 1);
  };
  // An error leaves as soon as its field is put right.
  const shownCardErrors = Object.fromEntries(
    cardFields.flatMap(field =>
      cardErrors[field] && !card.fields[field].complete ? [[field, cardErrors[field]]] : [],
    ),
  );
  const summary = [
    ...(plan.planId ? [] : [{ id: 'plan', text: t('order.plan.missing') }]),
    ...(place ? [] : [{ id: 'region', text: t('order.place.missing') }]),
    ...(emailError && !loggedIn ? [{ id: 'email', text: shownError(t, emailError) ?? '' }] : []),
    ...Object.entries(shownCardErrors).map(([field, text]) => ({
      id: cardFieldId(field as CardField),
      text: String(text),
    })),
    ...(termsError ? [{ id: 'terms', text: shownError(t, termsError) ?? '' }] : []),
  ];

  const { problem } = checkout;
  const failed = [product, terms, profile].find(query => query.error);
  if (problem?.kind === 'closed') return <OrderClosed status={problem.status} />;
  const later = choice ? 'current' : 'later';
  const laterLabel = t(choice ? 'order.step.current' : 'order.step.later');
  const payLabel = priced
    ? t('order.pay', { amount: money(priced.total.price, priced.total.currency) })
    : t('order.pay.plain');

  return (
    <>
      {checkout.phase === 'processing' && <Processing />}
      {/* Hidden, not taken away: a payment that fails after all finds everything as it was typed. */}
      <div hidden={checkout.phase === 'processing'}>
        <Form onSubmit={submit} busy={busy || pricing}>
          <Split
            side={
              <Stack gap={6}>
                <OrderSummary priced={priced} loading={product.isLoading} place={placeNames(places, place)} />
                <Checkbox
                  label={t('order.terms')}
                  hint={termsLink}
                  error={shownError(t, termsError)}
                  {...form.register('terms', { validate: agreed => agreed || 'form.terms.required' })}
                />
                {problem && <PayProblem problem={problem} />}
                {maintenance && <Alert type="warning">{t('app.maintenance')}</Alert>}
                {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
                <Button
                  type="submit"
                  variant="primary"
                  size="l"
                  block
                  busy={busy || pricing}
                  disabled={maintenance}
                >
                  {payLabel}
                </Button>
              </Stack>
            }
          >
            <Stack gap={8}>
              <ErrorSummary
                title={t('order.errors.title')}
                errors={attempt > 0 ? summary : []}
                attempt={attempt}
              />
              {checkout.isOpen && !problem && <Alert type="info">{t('order.unfinished')}</Alert>}
              <Stepper>
                <PlanStep number={1} plans={plans.plans} chosen={plan} onChoose={setPlan} />
                <PlaceStep number={2} places={places} place={place} onChoose={setWish} />
                <Step number={3} title={t('order.email.title')} state={later} stateLabel={laterLabel}>
                  {loggedIn ? (
                    <p>{t('order.email.customer', { email: customerEmail ?? '' })}</p>
                  ) : (
                    <TextField
                      type="email"
                      label={t('order.email.label')}
                      hint={t('order.email.hint')}
                      error={shownError(t, emailError)}
                      autoComplete="email"
                      autoCapitalize="none"
                      spellCheck={false}
                      {...form.register('email', { validate: loggedIn ? undefined : ruled(emailRule) })}
                    />
                  )}
                </Step>
                <Step number={4} title={t('order.payment.title')} state={later} stateLabel={laterLabel}>
                  <Stack>
                    <Cluster>
                      <PayMark brand="visa" />
                      <PayMark brand="mastercard" />
                      <span>{t('plans.pay.card')}</span>
                    </Cluster>
                    <p className="muted">{t('order.payment.lead')}</p>
                    <CardFields card={card} errors={shownCardErrors} />
                  </Stack>
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
