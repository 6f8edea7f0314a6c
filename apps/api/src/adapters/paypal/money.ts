import type { Money } from '@paypal/paypal-server-sdk';

/** Currencies that PayPal takes; those of the second list without decimals. */
const DECIMAL = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD'.split(
  ' ',
);
const WHOLE = ['HUF', 'JPY', 'TWD'];
const taken = new Set([...DECIMAL, ...WHOLE]);

export const takesCurrency = (currency: string): boolean => taken.has(currency);

/**
 * An amount as PayPal writes it.
 * @param amount integer hundredths
 */
export function moneyOf(currency: string, amount: number): Money {
  const whole = WHOLE.includes(currency);
  if (whole && amount % 100 !== 0) throw new RangeError(`${currency} has no minor unit at PayPal`);
  return { currencyCode: currency, value: (amount / 100).toFixed(whole ? 0 : 2) };
}

/** Integer hundredths of what PayPal wrote. */
export const amountOf = ({ value }: Money): number => Math.round(Number(value) * 100);
