import { emailRule } from '@fixpoint/contract/fields.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Step, Stepper } from '@fixpoint/ui/stepper.tsx';
import { type ReactNode, useState } from 'react';
import type { Choice, CycleCount, Places, Plans, Replacement } from '../../shop/catalog.ts';
import type { PayMethod } from '../../shop/pay-method.ts';
import { planName } from '../../shop/plan-name.ts';
import { regionName } from '../../shop/region.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { EmailField } from './email-field.tsx';
import { clearOrderDraft, readOrderDraft, saveOrderDraft } from './order-draft.ts';
import { type OrderStanding, useProduct } from './order-parts.ts';
import type { OrderRecord } from './order-record.ts';
import { choosePlace, type Place, placeNames } from './place.ts';
import { PlaceStep } from './place-step.tsx';
import { type Chosen, PlanStep } from './plan-step.tsx';
import { PurchaseCompany, PurchaseForm, PurchasePayment, usePurchase } from './purchase-form.tsx';
import { stepStates } from './step-states.ts';

export type CheckoutStart = {
  planId: string | undefined;
  cycleCount: CycleCount;
  place?: Place;
  /** Subscription to be replaced, and its remaining value. */
  replaces?: Replacement;
  resumed?: OrderRecord;
  /** State of that order. */
  standing?: OrderStanding;
  /** Notice for a customer who came back without having paid. */
  notice?: TextKey;
};

type Props = {
  plans: Plans;
  places: Places;
  start: CheckoutStart;
  /** Available payment methods; the first one is preselected. */
  payMethods: readonly [PayMethod, ...PayMethod[]];
  /** Link that opens the terms. */
  termsLink: ReactNode;
  /** Log-in link that leads back here. */
  logIn: ReactNode;
  onPlan: (chosen: Chosen) => void;
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** The order page: numbered steps, summary beside them, one button with the amount. */
export function Checkout(props: Props) {
  const { plans, places, start, payMethods, termsLink, onDraft, onSettled } = props;
  const t = useText();
  const [draft] = useState(readOrderDraft);
  const [plan, setPlan] = useState(() => sellable(plans, start));
  // The initial place counts as chosen: if it sells out meanwhile, no other place replaces it
  // silently.
  const [preferred, setPreferred] = useState<Partial<Place>>(
    () => start.place ?? draft.place ?? choosePlace(places.offers, {}) ?? {},
  );
  const place = choosePlace(places.offers, preferred);
  const choice: Choice | undefined =
    plan.planId && place
      ? { planId: plan.planId, cycleCount: plan.cycleCount, ...place, currency: plans.currency }
      : undefined;
  const product = useProduct(choice);

  const { replaces, resumed, standing, notice } = start;
  const isSame = replaces !== undefined && choice !== undefined && areSame(choice, replaces.product);
  const missingChoice = () => [
    ...(plan.planId ? [] : [{ id: 'plan', text: t('order.plan.missing') }]),
    ...(place ? [] : [{ id: 'region', text: t('order.place.missing') }]),
  ];
  const purchase = usePurchase({
    product,
    missing: missingChoice,
    unchanged: isSame,
    email: draft.email,
    replaces,
    resumed,
    standing,
    payMethods,
    onDraft,
    onSettled: reference => {
      clearOrderDraft();
      if (replaces) void refreshSubscription(replaces.id);
      onSettled(reference);
    },
  });
  const { loggedIn, customerEmail, form } = purchase;
  const states = stepStates({
    plan: plan.planId !== undefined && !isSame,
    place: place !== undefined,
    account: loggedIn || emailRule(form.form.watch('email')) === undefined,
  });
  const step = (number: number, of: keyof typeof states) => {
    const state = states[of];
    return { number, state, stateLabel: state === 'next' ? '' : t(`order.step.${state}`) };
  };

  return (
    <PurchaseForm purchase={purchase} place={placeNames(places, place)} termsLink={termsLink} notice={notice}>
      {replaces && <ReplacementNotice places={places} replaces={replaces} />}
      {isSame && (
        <Alert type="warning" live>
          {t('order.replace.same')}
        </Alert>
      )}
      <Stepper>
        <PlanStep
          {...step(1, 'plan')}
          plans={plans.plans}
          chosen={plan}
          canBuy={!isSame}
          onChoose={chosen => {
            setPlan(chosen);
            props.onPlan(chosen);
          }}
        />
        <PlaceStep
          {...step(2, 'place')}
          places={places}
          place={place}
          onChoose={chosen => {
            setPreferred(chosen);
            saveOrderDraft({ place: chosen });
          }}
        />
        <Step {...step(3, 'account')} title={t('order.email.title')}>
          <Stack gap={4}>
            {loggedIn ? (
              <p>{t('order.email.customer', { email: customerEmail ?? '' })}</p>
            ) : (
              <Stack gap={3}>
                {props.logIn}
                <EmailField
                  field={form.field}
                  label={t('order.email.label')}
                  hint={t('order.email.hint')}
                  onSuggestion={email => form.form.setValue('email', email)}
                  onTyped={email => saveOrderDraft({ email })}
                />
              </Stack>
            )}
            <PurchaseCompany purchase={purchase} />
          </Stack>
        </Step>
        <Step
          {...step(4, 'payment')}
          wrong={purchase.isPaymentWrong && t('order.step.wrong')}
          title={t('order.payment.title')}
        >
          <PurchasePayment purchase={purchase} />
        </Step>
      </Stepper>
    </PurchaseForm>
  );
}

/** Says before the payment: new address, new files, and the end of the old subscription. */
function ReplacementNotice({ places, replaces }: { places: Places; replaces: Replacement }) {
  const t = useText();
  const { planId, regionId } = replaces.product;
  const region = regionName({ id: regionId, name: placeNames(places, replaces.product).region });
  return <Alert type="info">{t('order.replace.what', { name: `${planName(planId)}, ${region}` })}</Alert>;
}

/** Same place and cycle: changing the plan alone needs no new subscription. */
const areSame = (choice: Place & { cycleCount: number }, product: Replacement['product']): boolean =>
  (['regionId', 'providerId', 'vendorId', 'cycleCount'] as const).every(
    part => choice[part] === product[part],
  );

/** Plan and cycle from the page's address, if they are for sale. */
function sellable({ plans }: Plans, { planId, cycleCount }: CheckoutStart) {
  const plan = plans.find(({ id }) => id === planId);
  const offered = (plan ?? plans[0])?.prices.map(price => price.cycleCount) ?? [];
  return {
    planId: plan?.id,
    cycleCount: offered.includes(cycleCount) ? cycleCount : (offered[0] ?? cycleCount),
  };
}
