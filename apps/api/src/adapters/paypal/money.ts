import type { Money } from '@paypal/paypal-server-sdk';

/** Currencies that PayPal takes in whole units only. */
const WHOLE = ['HUF', 'JPY', 'TWD'];

/**
 * Formats an amount for PayPal.
 * @param amount integer hundredths
 */
export function moneyOf(currency: string, amount: number): Money {
  const whole = WHOLE.includes(currency);
  if (whole && amount % 100 !== 0) throw new RangeError(`${currency} has no minor unit at PayPal`);
  return { currencyCode: currency, value: (amount / 100).toFixed(whole ? 0 : 2) };
}

/** Parses an amount of PayPal to integer hundredths. */
export const amountOf = ({ value }: Money): number => Math.round(Number(value) * 100);
