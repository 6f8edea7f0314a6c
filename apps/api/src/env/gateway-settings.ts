import { z } from 'zod';
import { flag, group, httpUrl, isTrue, list, origin, port, setting, text } from './fields.ts';

/** Settings of the payment gateways. */
export const gatewaySettings = {
  ...group('Stripe', {
    STRIPE_SECRET: setting(
      z
        .string()
        .regex(
          /^(sk|rk)_(test|live)_/,
          'is not a secret key of Stripe, which begins with sk_live_ or rk_live_',
        ),
      'Secret key of your Stripe account. Set the three Stripe keys and SMTP_URL together, or none of them for the sandbox. With a live key the shop also requires PUBLIC_URL, TRUST_PROXY, MAIL_FROM, SUPPORT_EMAIL, COMPANY_NAME and COMPANY_ADDRESS.',
      { example: 'sk_live_...', byDefault: 'sandbox' },
    ),
    STRIPE_PUB: setting(
      z.string().regex(/^pk_(test|live)_/, 'is not a public key of Stripe, which begins with pk_live_'),
      'Publishable key of the same account and mode.',
      { example: 'pk_live_...', byDefault: 'sandbox' },
    ),
    STRIPE_WEBHOOK_SECRETS: setting(
      list.refine(
        secrets => secrets.every(secret => secret.startsWith('whsec_')),
        'is not a signing secret of a Stripe webhook, which begins with whsec_',
      ),
      'Signing secret of the webhook. Two, comma-separated, while you rotate it.',
      { example: 'whsec_...', byDefault: 'sandbox' },
    ),
    STRIPE_CALLS_PER_SECOND: setting(
      z.coerce.number().int().min(1).default(25),
      'Calls of one kind per second that each node sends to Stripe, at most; renewals wait for their turn. With several nodes, divide what Stripe allows your account.',
    ),
    PROMPTPAY: setting(
      flag.default('false').transform(isTrue),
      'true: the shop offers PromptPay. Your Stripe account must be a Thai one that accepts it.',
    ),
  }),
  ...group('PayPal', {
    PAYPAL_CLIENT_ID: setting(
      text.optional(),
      'Client ID of your PayPal app. Set all three PayPal keys, or none for a shop without PayPal.',
    ),
    PAYPAL_SECRET: setting(text.optional(), 'Secret of the same app.'),
    PAYPAL_WEBHOOK_ID: setting(
      text.optional(),
      'ID of the webhook that leads to PUBLIC_URL/webhooks/paypal.',
    ),
    PAYPAL_RECURRING: setting(
      z.enum(['vault', 'none']).default('none'),
      'vault: buyers may save their PayPal account for automatic renewals. PayPal must have allowed your account to charge saved accounts.',
    ),
    PAYPAL_API_ORIGIN: setting(
      origin.default('https://api-m.paypal.com'),
      'API of PayPal. Set it to https://api-m.sandbox.paypal.com to try PayPal in a shop of its own, with NODE_ENV=development and test keys of Stripe.',
    ),
    PAYPAL_CERT_CA_FILE: setting(
      text.optional(),
      'PEM file with certificate authorities, besides the usual ones, that may sign the certificates of PayPal webhooks. The sandbox sets it.',
      { example: '/etc/ssl/paypal-ca.pem' },
    ),
  }),
  ...group('Bitcoin', {
    BTCPAY_URL: setting(
      httpUrl.optional(),
      'Address of your BTCPay Server. Set all four BTCPay settings, or none for a shop without bitcoin. docs/operate/payments.md lists the rights that the key needs.',
      { example: 'https://btcpay.example.com' },
    ),
    BTCPAY_STORE: setting(text.optional(), 'ID of the store. It needs a wallet.'),
    BTCPAY_TOKEN: setting(text.optional(), 'API key of that store.'),
    BTCPAY_WEBHOOK_SECRETS: setting(
      list.optional(),
      'Secret of the webhook. Two, comma-separated, while you rotate it.',
    ),
  }),
  ...group('All payment methods', {
    RETIRED_METHODS: setting(
      list.pipe(z.array(z.enum(['paypal', 'bitcoin', 'promptpay']))).default([]),
      'Payment methods, comma-separated, that nobody may start to use any more: paypal, bitcoin, promptpay. Keep their settings, because earlier payments are still refunded, disputed and compared.',
      { example: 'paypal' },
    ),
    DISPUTED_SERVICE: setting(
      z.enum(['keep', 'suspend']).default('keep'),
      'suspend: while a payment is disputed, the keys of its subscription are refused and nothing is charged, until the dispute is won.',
    ),
  }),
};

/** Address of the Stripe API, which the sandbox replaces. */
export const stripeApi = {
  STRIPE_API_HOST: setting(
    text.default('api.stripe.com'),
    'Host of the Stripe API. A live key is sent to api.stripe.com only.',
  ),
  STRIPE_API_PORT: setting(port.default(443), 'Port of the Stripe API.'),
  STRIPE_API_PROTOCOL: setting(z.enum(['http', 'https']).default('https'), 'Protocol of the Stripe API.'),
  STRIPE_JS_URL: setting(
    httpUrl.default('https://js.stripe.com/endive/stripe.js'),
    'Script of the card fields, or the folder of the sandbox’s script.',
  ),
};
