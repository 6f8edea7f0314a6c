import { createBtcpayBooks } from '../adapters/btcpay/books.ts';
import { createBtcpayCheck } from '../adapters/btcpay/check.ts';
import { btcpaySettings, openBtcpay } from '../adapters/btcpay/client.ts';
import { paypalSettings } from '../adapters/paypal/settings.ts';
import { createStripeBooks } from '../adapters/stripe/books.ts';
import { createStripeCheck } from '../adapters/stripe/check.ts';
import { openStripe, stripeSettings } from '../adapters/stripe/client.ts';
import type { ProviderEnv } from '../env/env.ts';
import type { Clock } from '../ports/clock.ts';
import type { GatewayBooks } from '../ports/gateway-books.ts';
import type { ProviderCheck } from '../ports/provider-check.ts';

/** Opens the clients of this shop's gateways. */
export async function openProviders(env: ProviderEnv, clock: Clock) {
  const paypal = paypalSettings(env, clock);
  const btcpay = btcpaySettings(env);
  return {
    stripe: openStripe(stripeSettings(env, clock)),
    paypal: paypal && (await import('./paypal.ts')).paypalParts(paypal),
    btcpay: btcpay && openBtcpay(btcpay),
  };
}

type Providers = Awaited<ReturnType<typeof openProviders>>;

/** Access to the books of each gateway. */
export const booksOf = ({ stripe, paypal, btcpay }: Providers): GatewayBooks[] => [
  createStripeBooks(stripe),
  ...(paypal ? [paypal.books] : []),
  ...(btcpay ? [createBtcpayBooks(btcpay)] : []),
];

/** Checks of the settings at each gateway. `currencies`: those that something is sold in. */
export const checksOf = (
  { stripe, paypal, btcpay }: Providers,
  { PUBLIC_URL: publicUrl, PROMPTPAY: promptPay, STRIPE_PUB: publishableKey }: ProviderEnv,
  clock: Clock,
  currencies: readonly string[],
): ProviderCheck[] => [
  createStripeCheck(stripe, { publicUrl, promptPay, publishableKey }),
  ...(paypal ? [paypal.check(publicUrl)] : []),
  ...(btcpay ? [createBtcpayCheck(btcpay, publicUrl, clock, currencies)] : []),
];
