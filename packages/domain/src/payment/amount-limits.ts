import { fromProviderUnit, type Minor, wholeUnitsIn } from '../kernel/money.ts';

export type PayingMethod = 'card' | 'promptpay' | 'paypal' | 'bitcoin';

/** Facts that limits depend on. All amounts in integer hundredths. */
export type LimitFacts = {
  /** Stripe's minimum charge in the currency; infinite for a currency without a known unit. */
  minimumByCard: Minor;
  /** Price of a bitcoin in the currency; undefined: not known yet. */
  bitcoin?: Minor | undefined;
};

/** Least and largest amount that a method takes. */
export type AmountLimits = { least: Minor; most: Minor };

/**
 * Digits of Stripe's largest amount, in its own unit (`PaymentIntentCreateParams.amount` of the SDK;
 * exceptions: docs.stripe.com/currencies#maximum-charge-amounts, which allows cards twelve: the stricter
 * document wins).
 */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { IDR: 12, COP: 10, INR: 9 };

/**
 * Currencies that PayPal takes, the last ones in whole units only
 * (developer.paypal.com/reference/currency-codes). PayPal publishes no largest amount for all of
 * them; an account's own limit is a refusal of the payer.
 */
const PAYPAL = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD HUF JPY TWD'.split(
    ' ',
  ),
);
const WHOLE_AT_PAYPAL = new Set(['HUF', 'JPY', 'TWD']);

/**
 * Satoshi below which the network relays no output (`GetDustThreshold` in src/policy/policy.cpp of
 * github.com/bitcoin/bitcoin); BTCPay refuses an invoice below it.
 */
export const DUST = 294;
const SATOSHI = 100_000_000;

/** What a method takes in a currency; undefined: it does not take the currency. */
export function amountLimits(
  method: PayingMethod,
  currency: string,
  { minimumByCard, bitcoin }: LimitFacts,
): AmountLimits | undefined {
  if (method === 'bitcoin') {
    const least = bitcoin === undefined ? 1 : Math.max(1, Math.ceil((bitcoin * DUST) / SATOSHI));
    return { least, most: Number.MAX_SAFE_INTEGER };
  }
  if (method === 'paypal') {
    if (!PAYPAL.has(currency)) return undefined;
    return { least: WHOLE_AT_PAYPAL.has(currency) ? 100 : 1, most: Number.MAX_SAFE_INTEGER };
  }
  // PromptPay is charged by Stripe, as cards are.
  if (!Number.isFinite(minimumByCard) || (method === 'promptpay' && currency !== 'THB')) return undefined;
  const most = 10 ** (STRIPE_DIGITS[currency] ?? 8) - 1;
  return { least: minimumByCard, most: fromProviderUnit(currency, most) };
}

/** Whether a method takes an amount; without one, whether it takes the currency at all. */
export function takesAmount(
  method: PayingMethod,
  currency: string,
  amount: Minor | undefined,
  facts: LimitFacts,
): boolean {
  const limits = amountLimits(method, currency, facts);
  if (!limits || amount === undefined) return limits !== undefined;
  return amount >= limits.least && amount <= limits.most && wholeUnitsIn(currency, amount) === amount;
}
