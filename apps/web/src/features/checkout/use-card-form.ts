import { languages } from '@fixpoint/contract/languages.ts';
import type {
  PaymentIntentResult,
  Stripe,
  StripeCardCvcElement,
  StripeCardExpiryElement,
  StripeCardNumberElement,
  StripeElementLocale,
  StripeElementStyle,
  StripeElements,
} from '@stripe/stripe-js';
import { useEffect, useRef, useState } from 'react';
import { shownLanguage } from '../../lib/language.ts';
import { cardLook, onThemeChange } from './card-look.ts';
import { loadCardProvider } from './card-provider.ts';

export const cardFields = ['number', 'expiry', 'cvc'] as const;
export type CardField = (typeof cardFields)[number];
/** `ready`: it can be typed into. `error` is the provider's message, in the language of its fields. */
export type CardFieldState = {
  ready: boolean;
  complete: boolean;
  error: string | undefined;
};

type CardElement = StripeCardNumberElement | StripeCardExpiryElement | StripeCardCvcElement;
type Fields = Record<CardField, CardElement>;

/** Languages that the provider's fields speak; the others get English. */
const providerLocales = ['en', 'th', 'zh', 'id', 'ja', 'ko', 'ms', 'fil', 'vi'];

const empty: CardFieldState = { ready: false, complete: false, error: undefined };
const emptyFields: Record<CardField, CardFieldState> = { number: empty, expiry: empty, cvc: empty };

export const cardFieldId = (field: CardField) => `card-${field}`;

/**
 * The card provider's own fields in its iframes: what is typed there never reaches this page (payments.md 3.8).
 * They are mounted into the elements with the ids of `cardFieldId`, which the caller draws from the start.
 */
export function useCardForm() {
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [fields, setFields] = useState(emptyFields);
  const [attempt, setAttempt] = useState(0);
  const mounted = useRef<{ stripe: Stripe; elements: Fields }>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let left = false;
    let stopFollowing = () => {};
    const change = (field: CardField, part: Partial<CardFieldState>) =>
      setFields(all => ({ ...all, [field]: { ...all[field], ...part } }));

    async function mount() {
      const stripe = await loadCardProvider();
      const holder = document.getElementById(cardFieldId('number'));
      if (left || !holder) return;
      const elements = createFields(stripe.elements({ locale: fieldLocale() }), cardLook(holder));
      mounted.current = { stripe, elements };
      for (const field of cardFields) listen(elements[field], part => change(field, part));
      for (const field of cardFields) elements[field].mount(`#${cardFieldId(field)}`);
      stopFollowing = onThemeChange(() => {
        for (const element of Object.values(elements)) element.update({ style: cardLook(holder) });
      });
      setStatus('ready');
    }
    mount().catch(() => !left && setStatus('failed'));
    return () => {
      left = true;
      stopFollowing();
      for (const element of Object.values(mounted.current?.elements ?? {})) element.destroy();
      mounted.current = undefined;
    };
  }, [attempt]);

  return {
    status,
    fields,
    retry: () => {
      setStatus('loading');
      setAttempt(count => count + 1);
    },
    focus: (field: CardField) => mounted.current?.elements[field].focus(),
    /** 3-D Secure, when the bank asks for it, comes and goes by itself before this answers. */
    async confirm(clientSecret: string, email: string): Promise<PaymentIntentResult> {
      if (!mounted.current) throw new Error('the card form is not there');
      const { stripe, elements } = mounted.current;
      const card = elements.number as StripeCardNumberElement;
      return stripe.confirmCardPayment(clientSecret, {
        payment_method: { card, billing_details: { email } },
      });
    },
  };
}

export type CardForm = ReturnType<typeof useCardForm>;

function fieldLocale(): StripeElementLocale {
  const base = languages[shownLanguage.get()].tag.split('-')[0] ?? 'en';
  return (providerLocales.includes(base) ? base : 'en') as StripeElementLocale;
}

function createFields(elements: StripeElements, style: StripeElementStyle): Fields {
  return {
    number: elements.create('cardNumber', { style, showIcon: true }),
    expiry: elements.create('cardExpiry', { style }),
    cvc: elements.create('cardCvc', { style }),
  };
}

type Change = { complete: boolean; error: { message: string } | undefined };
type Listenable = {
  on(event: 'change', handler: (change: Change) => void): unknown;
  on(event: 'ready', handler: () => void): unknown;
};

function listen(element: CardElement, change: (part: Partial<CardFieldState>) => void) {
  const field = element as Listenable;
  field.on('ready', () => change({ ready: true }));
  field.on('change', ({ complete, error }) => change({ complete, error: error?.message }));
}
