import type {
  StripeCardCvcElement,
  StripeCardExpiryElement,
  StripeCardNumberElement,
  StripeElementLocale,
  StripeElementStyle,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js';
import { type CardField, cardFieldId, cardFields } from '../../../shop/card-field.ts';
import { cardLook, onThemeChange, shopFonts } from './card-look.ts';
import type { CardFieldState, CardResult } from './card-messages.ts';
import { loadCardProvider } from './card-provider.ts';

type CardElement = StripeCardNumberElement | StripeCardExpiryElement | StripeCardCvcElement;
type Fields = Record<CardField, CardElement>;

/** Locales of the provider's fields; all others get English. */
const providerLocales = ['en', 'th', 'zh', 'id', 'ja', 'ko', 'ms', 'fil', 'vi'];

export type MountedFields = {
  focus(field: CardField): void;
  /** Creates a card at the provider from the input; the server pays with its id. */
  make(owner: { holder: string; email: string }): Promise<CardResult>;
  /** Shows the bank's question (3-D Secure), and resolves when that is over. */
  ask(clientSecret: string): Promise<CardResult>;
};

/**
 * Mounts the provider's fields, iframes of its origin, into the elements with the ids of
 * `cardFieldId`. Card data never reaches our documents.
 */
export async function mountCardFields(
  language: string,
  change: (field: CardField, part: Partial<CardFieldState>) => void,
): Promise<MountedFields> {
  const stripe = await loadCardProvider();
  const holder = document.getElementById(cardFieldId('number'))!;
  const elements = createFields(
    stripe.elements({ locale: fieldLocale(language), fonts: shopFonts() }),
    cardLook(holder),
  );
  for (const field of cardFields) {
    listen(elements[field], part => change(field, part));
    elements[field].mount(`#${cardFieldId(field)}`);
  }
  onThemeChange(() => {
    for (const element of Object.values(elements)) element.update({ style: cardLook(holder) });
  });
  return {
    focus: field => elements[field].focus(),
    async make({ holder, email }) {
      const { paymentMethod, error } = await stripe.createPaymentMethod({
        type: 'card',
        card: elements.number as StripeCardNumberElement,
        billing_details: { ...(holder && { name: holder }), ...(email && { email }) },
      });
      return paymentMethod ? { card: paymentMethod.id } : plain(error);
    },
    ask: async clientSecret => plain((await stripe.handleNextAction({ clientSecret })).error),
  };
}

const plain = (error: StripeError | undefined): CardResult => {
  if (!error) return {};
  const { type, code, decline_code, message } = error;
  return {
    error: {
      type,
      ...(code && { code }),
      ...(decline_code && { decline_code }),
      ...(message && { message }),
    },
  };
};

function fieldLocale(language: string): StripeElementLocale {
  const base = language.split('-')[0] ?? 'en';
  return (providerLocales.includes(base) ? base : 'en') as StripeElementLocale;
}

function createFields(elements: StripeElements, style: StripeElementStyle): Fields {
  return {
    number: elements.create('cardNumber', { style, showIcon: true }),
    expiry: elements.create('cardExpiry', { style }),
    cvc: elements.create('cardCvc', { style }),
  };
}

type Change = { complete: boolean; error: { code: string } | undefined };
type Listenable = {
  on(event: 'change', handler: (change: Change) => void): unknown;
  on(event: 'ready' | 'focus' | 'blur', handler: () => void): unknown;
};

function listen(element: CardElement, change: (part: Partial<CardFieldState>) => void) {
  const field = element as Listenable;
  field.on('ready', () => change({ ready: true }));
  field.on('focus', () => change({ focused: true }));
  field.on('blur', () => change({ focused: false }));
  field.on('change', ({ complete, error }) => change({ complete, wrong: error?.code }));
}
