import Stripe from 'stripe';
import { type Checked, clockCheck, lacking, type ProviderCheck } from '../../ports/provider-check.ts';
import { reach, type StripeClient } from './client.ts';

/** Events that the shop handles; others may be sent and are ignored. */
export const EVENTS: readonly string[] = [
  ...['succeeded', 'payment_failed', 'processing', 'requires_action', 'canceled'].map(
    word => `payment_intent.${word}`,
  ),
  ...['created', 'updated', 'failed'].map(word => `refund.${word}`),
  ...['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'].map(
    word => `charge.dispute.${word}`,
  ),
  ...['automatically_updated', 'updated', 'detached'].map(word => `payment_method.${word}`),
  ...['succeeded', 'setup_failed'].map(word => `setup_intent.${word}`),
];

const ONE = { limit: 1 };
/**
 * Read permissions that the key needs, in the words of Stripe's dashboard, each tested by its
 * smallest list. Write permissions could only be tested by writing.
 */
const rightsOf = (stripe: Stripe): [right: string, list: () => Promise<unknown>][] => [
  ['Customers', () => stripe.customers.list(ONE)],
  ['PaymentIntents', () => stripe.paymentIntents.list(ONE)],
  ['SetupIntents', () => stripe.setupIntents.list(ONE)],
  ['PaymentMethods', () => stripe.paymentMethods.list(ONE)],
  ['Refunds', () => stripe.refunds.list(ONE)],
  ['Charges', () => stripe.charges.list(ONE)],
  ['Balance transactions', () => stripe.balanceTransactions.list(ONE)],
  ['Disputes', () => stripe.disputes.list(ONE)],
  ['Payouts', () => stripe.payouts.list(ONE)],
];

/** Checks keys, permissions, capabilities, webhook, clock and version of an account at Stripe. */
export const createStripeCheck = (
  { stripe, settings }: StripeClient,
  { publicUrl, promptPay, publishableKey }: { publicUrl: string; promptPay: boolean; publishableKey: string },
): ProviderCheck => ({
  provider: 'stripe',

  async run() {
    let account: Stripe.Response<Stripe.Account>;
    try {
      account = await reach(stripe.accounts.retrieveCurrent());
    } catch (error) {
      const { StripeAuthenticationError } = Stripe.errors;
      if (error instanceof StripeAuthenticationError) return [key('Stripe does not know STRIPE_SECRET')];
      if (isRefused(error)) return [key('may not read its account')];
      throw error;
    }
    return [
      key(),
      await publishable(stripe, publishableKey),
      {
        about: 'account',
        missing: account.charges_enabled ? undefined : 'Stripe has not enabled charges: finish its questions',
      },
      capability(account, 'card_payments'),
      ...(promptPay ? [capability(account, 'promptpay_payments')] : []),
      clockCheck(
        'Stripe',
        account.lastResponse.headers.date,
        settings.clock.now(),
        'webhooks will be refused',
      ),
      await rights(stripe),
      ...(await webhook(stripe, `${publicUrl}/webhooks/stripe`)),
    ];
  },
});

const key = (missing?: string): Checked => ({ about: 'STRIPE_SECRET', missing });

const isRefused = (error: unknown): boolean => error instanceof Stripe.errors.StripePermissionError;

/**
 * Whether the publishable key belongs to this account: it reads the newest payment, as a page does.
 * Without a payment, only whether Stripe knows the key.
 */
async function publishable(stripe: Stripe, apiKey: string): Promise<Checked> {
  const about = 'STRIPE_PUB';
  try {
    const newest = (await reach(stripe.paymentIntents.list(ONE))).data[0];
    const { id, client_secret: secret } = newest?.client_secret ? newest : NOBODYS;
    const read = stripe.paymentIntents.retrieve(id, { client_secret: secret! }, { apiKey });
    const foreign = await reach(read).then(() => false, isUnknown);
    return { about, missing: newest && foreign ? 'is of another account: nobody can pay' : undefined };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return { about, missing: 'Stripe does not know it: nobody can pay' };
    if (isRefused(error)) return { about, missing: 'STRIPE_SECRET may not read PaymentIntents: not checked' };
    throw error;
  }
}
/** The same error for objects of other accounts and missing ones. */
function isUnknown(error: unknown): true {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return true;
  throw error;
}
const NOBODYS = { id: 'pi_ofNobody', client_secret: 'pi_ofNobody_secret_none' };

/** Read permissions that the key lacks. */
async function rights(stripe: Stripe): Promise<Checked> {
  const missing = await Promise.all(
    rightsOf(stripe).map(([right, list]) =>
      reach(list()).then(
        () => [],
        (error: unknown) => {
          if (isRefused(error)) return [right];
          throw error;
        },
      ),
    ),
  );
  const names = missing.flat();
  return {
    about: 'rights',
    missing: names.length > 0 ? `STRIPE_SECRET may not read ${names.join(', ')}` : undefined,
  };
}

const capability = (
  { capabilities }: Stripe.Account,
  name: 'card_payments' | 'promptpay_payments',
): Checked => ({
  about: name,
  missing: capabilities?.[name] === 'active' ? undefined : `is ${capabilities?.[name] ?? 'not asked for'}`,
});

async function webhook(stripe: Stripe, url: string): Promise<Checked[]> {
  const endpoints = await reach(stripe.webhookEndpoints.list({ limit: 100 })).catch((error: unknown) => {
    if (isRefused(error)) return undefined;
    throw error;
  });
  if (!endpoints)
    return [{ about: 'webhook', missing: 'STRIPE_SECRET may not read Webhook endpoints: not checked' }];
  const endpoint = endpoints.data.find(each => each.url === url && each.status === 'enabled');
  if (!endpoint) {
    const missing = `no enabled endpoint for ${url}: make one in API version ${Stripe.API_VERSION}`;
    return [{ about: 'webhook', missing }];
  }
  const all = endpoint.enabled_events.includes('*');
  const version = endpoint.api_version ?? 'the account’s own';
  return [
    {
      about: 'webhook events',
      missing: all ? undefined : lacking('not sent', EVENTS, endpoint.enabled_events),
    },
    {
      about: 'webhook version',
      missing:
        version === Stripe.API_VERSION ? undefined : `is ${version}, this shop reads ${Stripe.API_VERSION}`,
    },
  ];
}
