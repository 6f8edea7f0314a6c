import { showDialog } from './dialog.js';
import { createElements } from './elements.js';

/**
 * Takes the place of Stripe.js: `window.Stripe(publishableKey, options)`. Part of the `/v3/` script.
 *
 * @typedef {NonNullable<ReturnType<ReturnType<typeof createElements>['getElement']>>} CardElement
 * @typedef {{ card?: CardElement | { token: string }, billing_details?: object, metadata?: object }} MethodData
 * @typedef {{ payment_method?: string | MethodData, [name: string]: unknown }} ConfirmData
 * @typedef {{ status: string, client_secret: string, payment_method: string | null, last_payment_error?: object, last_setup_error?: object,
 *   next_action: { type: string, use_stripe_sdk?: { stripe_js: string }, redirect_to_url?: { url: string },
 *     promptpay_display_qr_code?: { hosted_instructions_url: string } } | null }} Intent
 * @typedef {{ error?: Record<string, unknown> } & Intent} Answer
 */

const NO_CONNECTION = {
  type: 'api_connection_error',
  message:
    'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.',
};

/** @type {Intent} */
const NO_INTENT = { status: '', client_secret: '', payment_method: null, next_action: null };

/**
 * Writes nested values as Stripe's form encoding.
 *
 * @param {Record<string, unknown>} values
 * @returns {[string, string][]}
 */
function formOf(values, prefix = '') {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = prefix ? `${prefix}[${name}]` : name;
    if (value === undefined || value === null) return [];
    if (typeof value === 'object') return formOf(/** @type {Record<string, unknown>} */ (value), key);
    return [/** @type {[string, string]} */ ([key, String(value)])];
  });
}

function createStripe(/** @type {string} */ key, /** @type {{ locale?: string }} */ options = {}) {
  if (!/^pk_test_/.test(key)) throw new Error('The sandbox takes a publishable test key (pk_test_…) only.');
  const language = !options.locale || options.locale === 'auto' ? navigator.language : options.locale;

  /** @returns {Promise<Answer>} */
  const call = async (
    /** @type {'GET' | 'POST'} */ method,
    /** @type {string} */ path,
    /** @type {[string, string][]} */ form,
  ) => {
    const body = new URLSearchParams([['key', key], ...form]);
    try {
      const answer = await (method === 'GET'
        ? fetch(`${ORIGIN}${path}?${body}`)
        : fetch(`${ORIGIN}${path}`, { method, body }));
      return await answer.json();
    } catch {
      return { ...NO_INTENT, error: NO_CONNECTION };
    }
  };

  const intentPath = (/** @type {string} */ secret) => {
    const id = secret.split('_secret_')[0] ?? '';
    return id.startsWith('seti_') ? `/v1/setup_intents/${id}` : `/v1/payment_intents/${id}`;
  };
  const memberOf = (/** @type {string} */ secret) =>
    secret.startsWith('seti_') ? 'setupIntent' : 'paymentIntent';
  const resultOf = (/** @type {string} */ secret, /** @type {Answer} */ answer) => {
    if (answer.error) return { error: { ...NO_CONNECTION, ...answer.error } };
    const failed =
      answer.status === 'requires_payment_method' && (answer.last_payment_error ?? answer.last_setup_error);
    if (!failed) return { [memberOf(secret)]: answer };
    return { error: { ...failed, [secret.startsWith('seti_') ? 'setup_intent' : 'payment_intent']: answer } };
  };

  const retrieve = (/** @type {string} */ secret) =>
    call('GET', intentPath(secret), [['client_secret', secret]]);

  /** Shows the bank's question to the customer, then reads the intent again. */
  const act = async (/** @type {string} */ secret, /** @type {Answer} */ intent) => {
    const next = intent.error ? null : intent.next_action;
    const page = next?.use_stripe_sdk?.stripe_js ?? next?.promptpay_display_qr_code?.hosted_instructions_url;
    if (next?.redirect_to_url) {
      location.assign(next.redirect_to_url.url);
      return new Promise(() => {});
    }
    if (!page) return resultOf(secret, intent);
    await showDialog(page, next?.use_stripe_sdk ? '3D Secure' : 'PromptPay');
    return resultOf(secret, await retrieve(secret));
  };

  /**
   * Confirms with a card element (its frame sends the card), a saved method, or the intent's own.
   */
  const confirm = async (
    /** @type {string} */ secret,
    /** @type {ConfirmData | undefined} */ data,
    /** @type {{ handleActions?: boolean } | undefined} */ how,
  ) => {
    const { payment_method: method, ...rest } = data ?? {};
    const path = `${intentPath(secret)}/confirm`;
    const form = [
      ...formOf({ key, client_secret: secret, use_stripe_sdk: true }),
      ...formOf(rest),
      ...(typeof method === 'string' ? formOf({ payment_method: method }) : []),
    ];
    const answer = await send(
      path,
      form,
      'payment_method_data',
      typeof method === 'object' ? method : undefined,
    );
    return how?.handleActions === false ? resultOf(secret, answer) : act(secret, answer);
  };

  /** @returns {Promise<Answer>} */
  const send = (
    /** @type {string} */ path,
    /** @type {[string, string][]} */ form,
    /** @type {string} */ prefix,
    /** @type {MethodData | undefined} */ method,
  ) => {
    if (!method) return call('POST', path, form);
    const { card, ...rest } = method;
    const about = formOf(rest, prefix);
    if (card && 'submit' in card) return card.submit({ path, form: [...form, ...about], prefix });
    return call('POST', path, [...form, ...about, ...formOf({ type: 'card', card }, prefix)]);
  };

  const confirmCard = async (
    /** @type {string} */ secret,
    /** @type {ConfirmData | undefined} */ data,
    /** @type {{ handleActions?: boolean } | undefined} */ how,
  ) => {
    if (data?.payment_method) return confirm(secret, data, how);
    const intent = await retrieve(secret);
    return !intent.error && intent.status === 'requires_action'
      ? act(secret, intent)
      : confirm(secret, data, how);
  };

  return {
    elements: (elementsOptions = {}) => createElements(elementsOptions, language),
    confirmCardPayment: confirmCard,
    confirmCardSetup: confirmCard,
    confirmPromptPayPayment: (
      /** @type {string} */ secret,
      /** @type {ConfirmData | undefined} */ data,
      /** @type {{ handleActions?: boolean } | undefined} */ how,
    ) => {
      const method = data?.payment_method;
      const typed =
        typeof method === 'object' ? { payment_method_data: { type: 'promptpay', ...method } } : {};
      return confirm(
        secret,
        typeof method === 'object' ? { ...data, payment_method: undefined, ...typed } : data,
        how,
      );
    },
    handleNextAction: async (/** @type {{ clientSecret: string }} */ { clientSecret }) =>
      act(clientSecret, await retrieve(clientSecret)),
    handleCardAction: async (/** @type {string} */ secret) => act(secret, await retrieve(secret)),
    retrievePaymentIntent: async (/** @type {string} */ secret) => {
      const answer = await retrieve(secret);
      return answer.error ? { error: answer.error } : { paymentIntent: answer };
    },
    retrieveSetupIntent: async (/** @type {string} */ secret) => {
      const answer = await retrieve(secret);
      return answer.error ? { error: answer.error } : { setupIntent: answer };
    },
    createPaymentMethod: async (/** @type {{ type: string } & MethodData} */ { type: _, ...method }) => {
      const answer = await send('/v1/payment_methods', formOf({ key }), '', method);
      return answer.error ? { error: answer.error } : { paymentMethod: answer };
    },
    registerAppInfo() {},
    _registerWrapper() {},
  };
}

/** @type {Window & { Stripe?: unknown }} */ (window).Stripe = Object.assign(createStripe, {
  version: RELEASE_TRAIN,
});
