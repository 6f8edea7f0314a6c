import { createBtcpayBooks } from '../adapters/btcpay/books.ts';
import { createBtcpayCheck } from '../adapters/btcpay/check.ts';
import { btcpaySettings, openBtcpay } from '../adapters/btcpay/client.ts';
import { createPaypalBooks } from '../adapters/paypal/books.ts';
import { createPaypalCheck } from '../adapters/paypal/check.ts';
import { openPaypal, paypalSettings } from '../adapters/paypal/client.ts';
import { createStripeBooks } from '../adapters/stripe/books.ts';
import { createStripeCheck } from '../adapters/stripe/check.ts';
import { openStripe, stripeSettings } from '../adapters/stripe/client.ts';
import type { ProviderEnv } from '../env.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProviderBooks } from '../ports/provider-books.ts';
import type { ProviderCheck } from '../ports/provider-check.ts';

/** How this shop reaches its providers. */
export function openProviders(env: ProviderEnv, clock: Clock) {
  const paypal = paypalSettings(env, clock);
  const btcpay = btcpaySettings(env);
  return {
    stripe: openStripe(stripeSettings(env, clock)),
    paypal: paypal && openPaypal(paypal),
    btcpay: btcpay && openBtcpay(btcpay),
  };
}

/** What each of them says of our money. */
export const booksOf = ({ stripe, paypal, btcpay }: ReturnType<typeof openProviders>): ProviderBooks[] => [
  createStripeBooks(stripe),
  ...(paypal ? [createPaypalBooks(paypal)] : []),
  ...(btcpay ? [createBtcpayBooks(btcpay)] : []),
];

/** Whether each of them is set up as the shop needs it. */
export const checksOf = (
  { stripe, paypal, btcpay }: ReturnType<typeof openProviders>,
  { PUBLIC_URL: publicUrl, PROMPTPAY: promptPay }: ProviderEnv,
): ProviderCheck[] => [
  createStripeCheck(stripe, { publicUrl, promptPay }),
  ...(paypal ? [createPaypalCheck(paypal, publicUrl)] : []),
  ...(btcpay ? [createBtcpayCheck(btcpay, publicUrl)] : []),
];
