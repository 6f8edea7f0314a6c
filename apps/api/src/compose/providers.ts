import { createBtcpayBooks } from '../adapters/btcpay/books.ts';
import { btcpaySettings, openBtcpay } from '../adapters/btcpay/client.ts';
import { createPaypalBooks } from '../adapters/paypal/books.ts';
import { openPaypal, paypalSettings } from '../adapters/paypal/client.ts';
import { createStripeBooks } from '../adapters/stripe/books.ts';
import { openStripe, stripeSettings } from '../adapters/stripe/client.ts';
import type { ProviderEnv } from '../env.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProviderBooks } from '../ports/provider-books.ts';

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
