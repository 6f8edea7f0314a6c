import { invalid, type StripeRefusal } from './errors.ts';
import { exchanged, settlementOf, settles } from './exchange.ts';
import { money } from './money.ts';
import type { StripeState } from './state.ts';

/**
 * Minimum charge in smallest units
 * (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
const MINIMUM: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'ars aud brl cad chf cop eur idr ils inr nzd php rub sgd usd zar'.split(' ').map(code => [code, 50]),
  ),
  aed: 200,
  czk: 1_500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  jpy: 50,
  krw: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1_000,
};

/**
 * Currencies in which the account settles unless the control interface sets one. A charge in
 * another currency must be worth $0.50 (`PaymentIntentCreateParams.amount` of Stripe's SDK).
 */
const HELD = new Set(['usd', 'eur', 'gbp', 'jpy', 'thb', 'sgd', 'hkd', 'myr']);

/**
 * Digits of the largest amount. The SDK documents eight for `PaymentIntentCreateParams.amount`;
 * docs.stripe.com/currencies#maximum-charge-amounts names the exceptions. That page allows cards
 * twelve digits: the stricter document wins here.
 */
const DIGITS: Readonly<Record<string, number>> = { idr: 12, cop: 10, inr: 9 };

const maximumOf = (currency: string): number => 10 ** (DIGITS[currency] ?? 8) - 1;

/** Returns Stripe's refusal of an amount in smallest units, or undefined if it can be charged. */
export function amountRefusal(
  state: StripeState,
  amount: number,
  currency: string,
): StripeRefusal | undefined {
  const refusal = (code: string, message: string) => invalid(message, { code, param: 'amount' });
  if (amount > maximumOf(currency)) {
    return refusal('amount_too_large', `Amount must be no more than ${money(maximumOf(currency), currency)}`);
  }
  const into = settlementOf(state) ?? (HELD.has(currency) ? currency : 'usd');
  const least = MINIMUM[into] ?? 1;
  if (into !== currency && settles(currency)) {
    const converted = exchanged(state, amount, currency, into).amount;
    if (converted < least) {
      return refusal(
        'amount_too_small',
        `Amount must convert to at least ${money(least, into)}. ${money(amount, currency)} converts to approximately ${money(converted, into)}.`,
      );
    }
  }
  const own = MINIMUM[currency] ?? 1;
  if (amount < own) {
    return refusal('amount_too_small', `Amount must be at least ${money(own, currency)} ${currency}`);
  }
  return undefined;
}
