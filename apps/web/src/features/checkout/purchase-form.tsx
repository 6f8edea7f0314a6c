import { normalEmail } from '@fixpoint/contract/fields.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { Form } from '@fixpoint/ui/form.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useDelayed } from '@fixpoint/ui/lib/use-delayed.ts';
import { Split } from '@fixpoint/ui/split.tsx';
import { FormErrors } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { companyFields } from '../../forms/company.ts';
import { useProfile } from '../../server/profile.ts';
import { useLoggedIn, useMaintenance } from '../../server/shop-state.ts';
import { useCards } from '../../shop/billing.ts';
import type { Offer, PricedProduct, Replacement } from '../../shop/catalog.ts';
import { refusalErrors } from '../../shop/decline.ts';
import { defaultMethod } from '../../shop/default-method.ts';
import { useFormat } from '../../shop/format.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';
import { planName } from '../../shop/plan-name.ts';
import { regionName } from '../../shop/region.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { CompanyStep, useCompanyChoice } from './company-choice.tsx';
import { OrderClosed } from './order-closed.tsx';
import type { ExistingSubscription, OrderStanding } from './order-parts.ts';
import type { OrderRecord } from './order-record.ts';
import { OrderSummary } from './order-summary.tsx';
import { PayAction } from './pay-action.tsx';
import { PayProblem } from './pay-problem.tsx';
import { chosenMethod, PayStep } from './pay-step.tsx';
import type { PlaceNames } from './place.ts';
import { Processing } from './processing.tsx';
import { useCheckout } from './use-checkout.ts';

/** Longest time that a payment is checked behind its own button, ms. */
const PROCESSING_DELAY_MS = 2000;

type Options = {
  /** The chosen product, with its price once it is loaded. */
  product: {
    data: PricedProduct | Offer | undefined;
    error: Error | null;
    isLoading: boolean;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** Errors of choices that are still missing. */
  missing?: () => FormError[];
  /** The choice equals the current subscription: there is nothing to buy. */
  unchanged?: boolean;
  existing?: ExistingSubscription | undefined;
  /** Subscription to be replaced, and its remaining value. */
  replaces?: Replacement | undefined;
  resumed: OrderRecord | undefined;
  /** State of that order. */
  standing: OrderStanding | undefined;
  /** Email address typed before. */
  email?: string | undefined;
  /** Available payment methods; the first one is preselected. */
  payMethods: readonly [PayMethod, ...PayMethod[]];
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** State of the purchase form: customer, credit, payment method, and what is still missing. */
export function usePurchase(options: Options) {
  const {
    product,
    missing = () => [],
    unchanged = false,
    existing,
    replaces,
    resumed,
    standing,
    payMethods,
    onDraft,
    onSettled,
  } = options;
  const profile = useProfile();
  const terms = useLegal('terms');
  const [payBy, setPayBy] = useState<string>();
  const payMethod = chosenMethod(payMethods, payBy, resumed?.method);
  const checkout = useCheckout({ existing, replaces, resumed, standing, payMethods, onDraft, onSettled });
  // Most payments settle within seconds; until then the form stays on the screen.
  const delayed = useDelayed(checkout.phase === 'processing', PROCESSING_DELAY_MS);
  const waits = delayed || (checkout.phase === 'processing' && checkout.meanwhile !== undefined);

  const loggedIn = useLoggedIn();
  const customerEmail = profile.data?.email;
  const priced = product.data;
  const company = useCompanyChoice(loggedIn, existing === undefined);
  const saved = useCards(loggedIn);
  const credit = priced && saved.data && checkout.creditFor(priced, saved.data.credit);
  const prorated = priced ? checkout.proratedFor(priced) : 0;
  const carried = (priced && 'change' in priced && priced.change?.now?.carried) || 0;
  const byCredit =
    priced !== undefined && credit !== undefined && credit + prorated + carried === priced.total.price;
  const form = useFormState({
    defaultValues: {
      email: resumed?.email ?? options.email ?? '',
      terms: false,
      company: company.defaults,
    },
    fields: [
      missing,
      ...(loggedIn ? [] : (['email'] as const)),
      ...(company.isTyped ? companyFields : []),
      () => (byCredit ? [] : payMethod.missing()),
      'terms' as const,
    ],
    send: async ({ email: typed, company: values }) => {
      if (!priced || !terms.data || (loggedIn && !customerEmail)) return;
      const email = customerEmail ?? normalEmail(typed);
      await checkout.pay(
        priced,
        {
          email,
          loggedIn,
          termsVersion: terms.data.version,
          credit,
          prorated,
          company: company.sent(values),
        },
        payMethod,
      );
    },
  });
  const { setValue } = form.form;
  const termsVersion = terms.data?.version;
  // Back from a provider's page, or after a decline: the consent to this order still holds.
  useEffect(() => {
    if (termsVersion && resumed?.termsVersion === termsVersion) setValue('terms', true);
  }, [termsVersion, resumed, setValue]);
  const waiting = [product, profile, terms, saved].some(query => query.isLoading);
  return {
    /**
     * Bound to the current state of a subscription: a payment after that has changed becomes
     * credit.
     */
    forExisting: existing?.planId !== undefined || replaces !== undefined,
    prorated,
    carried,
    replaces,
    priced,
    loading: product.isLoading,
    credit,
    byCredit,
    loggedIn,
    customerEmail,
    company,
    checkout,
    waits,
    form,
    payMethods,
    payMethod,
    setPayBy,
    /** Whether the next payment is charged by us, by what is chosen now. */
    charged: byCredit
      ? saved.data !== undefined && defaultMethod(saved.data) !== undefined
      : payMethod.charged,
    /** Whether something is wrong with the payment: declined, or not filled in. */
    isPaymentWrong:
      checkout.problem?.kind === 'declined' ||
      checkout.problem?.kind === 'refused' ||
      (!byCredit && form.errors.some(({ id }) => payMethod.missing().some(gap => gap.id === id))),
    busy: form.busy || product.isPlaceholderData || waiting,
    maintenance: useMaintenance(),
    unchanged: unchanged,
    failed: [product, terms, profile].find(query => query.error),
  };
}

type Purchase = ReturnType<typeof usePurchase>;

type Props = {
  purchase: Purchase;
  place: PlaceNames;
  /** Link that opens the terms. */
  termsLink: ReactNode;
  /** Notice for a customer who came back without having paid. */
  notice?: TextKey | undefined;
  children: ReactNode;
};

/** The chosen product, with summary, terms and the pay button beside it. */
export function PurchaseForm({ purchase, place, termsLink, notice, children }: Props) {
  const t = useText();
  const { priced, credit, prorated, carried, replaces, checkout, waits, form, busy, maintenance, failed } =
    purchase;
  const { problem } = checkout;
  if (problem?.kind === 'closed') {
    return <OrderClosed status={problem.status} forExisting={purchase.forExisting} />;
  }
  return (
    <>
      {waits && checkout.meanwhile && priced && (
        <p>
          <span>
            {[
              planName(priced.product.planId),
              t(`plans.cycle.${priced.product.cycleCount}`),
              regionName({ id: priced.product.regionId, name: place.region }),
            ].join(', ')}
          </span>
          <br />
          <span className="muted">{purchase.customerEmail ?? form.form.getValues('email')}</span>
        </p>
      )}
      {waits && (checkout.meanwhile ?? <Processing />)}
      {/* Hidden, not unmounted: if the payment fails after all, the input is still there. */}
      <div hidden={waits}>
        <Form onSubmit={form.submit} busy={busy}>
          <Split
            side={
              <Stack gap={6}>
                <OrderSummary
                  priced={priced}
                  credit={credit}
                  prorated={replaces && { ...replaces, amount: prorated }}
                  loading={purchase.loading}
                  place={place}
                  charged={purchase.charged}
                />
                <Checkbox
                  label={t('order.terms')}
                  hint={termsLink}
                  {...form.field('terms', ticked => ticked || 'form.terms.required')}
                />
                {problem && <PayProblem problem={problem} {...purchase} onChoose={purchase.setPayBy} />}
                {maintenance && <Alert type="warning">{t('app.maintenance')}</Alert>}
                {failed && <LoadError error={failed.error} onRetry={failed.refetch} />}
                <PayAction
                  priced={priced}
                  covered={credit === undefined ? undefined : credit + prorated + carried}
                  paying={checkout.phase !== 'form'}
                  covers={checkout.covers && !waits}
                  busy={busy}
                  byCard={purchase.payMethod.method === 'card'}
                  disabled={maintenance || purchase.unchanged}
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

/** Whether the order is for a company, and for which. */
export function PurchaseCompany({ purchase }: { purchase: Purchase }) {
  const { company, form } = purchase;
  return (
    <CompanyStep
      choice={company}
      form={{
        field: form.field as never,
        values: form.form.watch('company'),
        fill: values => form.form.setValue('company', values),
      }}
    />
  );
}

/** Payment method and its fields; none if credit covers the price, or what is due is carried. */
export function PurchasePayment({ purchase }: { purchase: Purchase }) {
  const t = useText();
  const { money } = useFormat();
  const { byCredit, priced, prorated, carried, payMethods, payMethod, setPayBy, form, checkout } = purchase;
  const { problem } = checkout;
  if (byCredit && priced && carried > 0)
    return <p>{t('order.payment.carried', { amount: money(carried, priced.total.currency) })}</p>;
  if (byCredit) return <p>{t(prorated > 0 ? 'order.replace.covered' : 'order.payment.byCredit')}</p>;
  return (
    <PayStep
      legend={t('order.payment.title')}
      methods={payMethods}
      chosen={payMethod}
      onChoose={setPayBy}
      errors={[...form.errors, ...(problem?.kind === 'refused' ? refusalErrors(t, problem) : [])]}
      paying={checkout.phase !== 'form'}
    />
  );
}
