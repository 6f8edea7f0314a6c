import { normalEmail } from '@fixpoint/contract/fields.ts';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { Form } from '@fixpoint/ui/form.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { useLate } from '@fixpoint/ui/lib/late.ts';
import { Split } from '@fixpoint/ui/split.tsx';
import { FormErrors } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useProfile } from '../../server/profile.ts';
import { useLoggedIn, useMaintenance } from '../../server/shop-state.ts';
import { useCards } from '../../shop/billing.ts';
import type { Offer, PricedProduct, Replacement } from '../../shop/catalog.ts';
import { markOf } from '../../shop/decline.ts';
import { useLegal } from '../../shop/legal.ts';
import { LoadError } from '../../shop/load-error.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';
import { type TextKey, useText } from '../../shop/texts.ts';
import { OrderClosed } from './order-closed.tsx';
import type { OrderRecord } from './order-record.ts';
import { OrderSummary } from './order-summary.tsx';
import { PayAction } from './pay-action.tsx';
import { PayProblem } from './pay-problem.tsx';
import { PayStep } from './pay-step.tsx';
import type { PlaceNames } from './place.ts';
import { Processing } from './processing.tsx';
import { type Own, type Standing, useCheckout } from './use-checkout.ts';

/** The longest that a paid order may stand behind its own button, ms. */
const PATIENCE_MS = 2000;

type Options = {
  /** What is chosen, and its price as far as it is there. */
  product: {
    data: PricedProduct | Offer | undefined;
    error: Error | null;
    isLoading: boolean;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** What is still to be chosen. */
  missing?: () => FormError[];
  /** What is chosen is what he has: there is nothing to buy. */
  nothingNew?: boolean;
  own?: Own | undefined;
  /** The subscription whose place it takes, and what that has left. */
  replaces?: Replacement | undefined;
  resumed: OrderRecord | undefined;
  /** How that order stands. */
  stands: Standing | undefined;
  /** As it was typed before. */
  email?: string | undefined;
  /** What it can be paid with; the first is chosen. */
  payMethods: readonly [PayMethod, ...PayMethod[]];
  onDraft: (reference: string) => void;
  onSettled: (reference: string) => void;
};

/** A purchase in its form: who buys, what of it credit pays, how the rest is paid, and what is still missing. */
export function usePurchase(options: Options) {
  const {
    product,
    missing = () => [],
    nothingNew = false,
    own,
    replaces,
    resumed,
    stands,
    payMethods,
    onDraft,
    onSettled,
  } = options;
  const profile = useProfile();
  const terms = useLegal('terms');
  const [payBy, setPayBy] = useState(resumed?.method ?? payMethods[0].method);
  const payMethod = payMethods.find(({ method }) => method === payBy) ?? payMethods[0];
  const checkout = useCheckout({ own, replaces, resumed, stands, payMethods, onDraft, onSettled });
  // Most payments are through within seconds: until then the page stays as it is.
  const late = useLate(checkout.phase === 'processing', PATIENCE_MS);
  const waits = late || (checkout.phase === 'processing' && checkout.meanwhile !== undefined);

  const loggedIn = useLoggedIn();
  const customerEmail = profile.data?.email;
  const priced = product.data;
  /** Agreed to before, and the same since: nobody is asked twice. */
  const agreed = terms.data !== undefined && profile.data?.termsVersion === terms.data.version;
  const saved = useCards(loggedIn);
  const credit = priced && saved.data && checkout.creditFor(priced, saved.data.credit);
  const prorated = priced ? checkout.proratedFor(priced) : 0;
  const byCredit = priced !== undefined && credit !== undefined && credit + prorated === priced.total.price;
  const form = useFormState({
    defaultValues: { email: resumed?.email ?? options.email ?? '', terms: false },
    fields: [
      missing,
      ...(loggedIn ? [] : (['email'] as const)),
      () => (byCredit ? [] : payMethod.missing()),
      ...(agreed ? [] : (['terms'] as const)),
    ],
    send: async ({ email: typed }) => {
      if (!priced || !terms.data || (loggedIn && !customerEmail)) return;
      const email = customerEmail ?? normalEmail(typed);
      await checkout.pay(
        priced,
        { email, loggedIn, termsVersion: terms.data.version, credit, prorated },
        payMethod,
      );
    },
  });
  const { setValue } = form.form;
  const termsVersion = terms.data?.version;
  // Back from a provider's page, or after a decline: what was agreed to for this very order is agreed to still.
  useEffect(() => {
    if (termsVersion && resumed?.termsVersion === termsVersion) setValue('terms', true);
  }, [termsVersion, resumed, setValue]);
  const waiting = [product, profile, terms, saved].some(query => query.isLoading);
  return {
    /** It is for a subscription as it is: what is paid after that has changed becomes credit. */
    ofOne: own?.planId !== undefined || replaces !== undefined,
    prorated,
    replaces,
    priced,
    loading: product.isLoading,
    credit,
    byCredit,
    loggedIn,
    customerEmail,
    checkout,
    waits,
    form,
    payMethods,
    payMethod,
    setPayBy,
    busy: form.busy || product.isPlaceholderData || waiting,
    maintenance: useMaintenance(),
    nothingNew,
    failed: [product, terms, profile].find(query => query.error),
    agreed,
  };
}

type Purchase = ReturnType<typeof usePurchase>;

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
  const { priced, credit, prorated, replaces, checkout, waits, form, payMethod, busy, maintenance, failed } =
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
                  prorated={replaces && { ...replaces, amount: prorated }}
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
                  covered={credit === undefined ? undefined : credit + prorated}
                  paying={checkout.phase !== 'form'}
                  busy={busy}
                  disabled={maintenance || purchase.nothingNew}
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
  const { byCredit, prorated, payMethods, payMethod, setPayBy, form, checkout } = purchase;
  const { problem } = checkout;
  if (byCredit) return <p>{t(prorated > 0 ? 'order.replace.covered' : 'order.payment.byCredit')}</p>;
  return (
    <PayStep
      legend={t('order.payment.title')}
      methods={payMethods}
      chosen={payMethod}
      onChoose={setPayBy}
      errors={[...form.errors, ...(problem?.kind === 'refused' ? markOf(t, problem) : [])]}
      paying={checkout.phase !== 'form'}
    />
  );
}
