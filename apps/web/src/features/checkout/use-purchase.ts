import { normalEmail } from '@fixpoint/contract/fields.ts';
import { useState } from 'react';
import { useFormState } from '../../forms/form-state.ts';
import { useLate } from '../../lib/late.ts';
import { useProfile } from '../../server/profile.ts';
import { useLoggedIn, useMaintenance } from '../../server/shop-state.ts';
import { useCards } from '../../shop/billing.ts';
import type { Offer, PricedProduct, Replacement } from '../../shop/catalog.ts';
import { useLegal } from '../../shop/legal.ts';
import type { PayMethod } from '../../shop/pay-method.ts';
import type { FormError } from '../../ui/error-summary.tsx';
import type { OrderRecord } from './order-record.ts';
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
  // Most payments are through within seconds: until then the page stays as it is (FU19).
  const late = useLate(checkout.phase === 'processing', PATIENCE_MS);
  const waits = late || (checkout.phase === 'processing' && checkout.meanwhile !== undefined);

  const loggedIn = useLoggedIn();
  const customerEmail = profile.data?.email;
  const priced = product.data;
  /** Agreed to before, and the same since: nobody is asked twice. */
  const agreed = terms.data !== undefined && profile.data?.termsVersion === terms.data.version;
  const saved = useCards(loggedIn);
  const credit = priced && saved.data && checkout.creditFor(priced, saved.data.credit);
  const carried = priced ? checkout.carriedFor(priced) : 0;
  const byCredit = priced !== undefined && credit !== undefined && credit + carried === priced.total.price;
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
        { email, loggedIn, termsVersion: terms.data.version, credit, carried },
        payMethod,
      );
    },
  });
  const waiting = [product, profile, terms, saved].some(query => query.isLoading);
  return {
    /** It is for a subscription as it is: what is paid after that has changed becomes credit. */
    ofOne: own?.planId !== undefined || replaces !== undefined,
    ...{ carried, replaces, priced, loading: product.isLoading, credit, byCredit, loggedIn, customerEmail },
    ...{ checkout, waits, form, payMethods, payMethod, setPayBy },
    busy: form.busy || product.isPlaceholderData || waiting,
    maintenance: useMaintenance(),
    failed: [product, terms, profile].find(query => query.error),
    agreed,
  };
}

export type Purchase = ReturnType<typeof usePurchase>;
