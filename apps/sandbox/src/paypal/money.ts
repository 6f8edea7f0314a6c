import { impossible } from './errors.ts';
import type { Money } from './wire.ts';

/** Currencies that PayPal takes, with the number of their decimals there. */
const DECIMALS: Record<string, number> = {
  ...Object.fromEntries(
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD'
      .split(' ')
      .map(currency => [currency, 2]),
  ),
  HUF: 0,
  JPY: 0,
  TWD: 0,
};

/** An amount in the smallest unit of its currency. */
export type Sum = { currency: string; units: number };

/** @throws PaypalRefusal for what PayPal would not take as a price */
export function sumOf({ currency_code: currency, value }: Money): Sum {
  const decimals = DECIMALS[currency];
  if (decimals === undefined) {
    throw impossible(
      'INVALID_CURRENCY_CODE',
      'Currency code is invalid or is not currently supported. Please refer https://developer.paypal.com/api/rest/reference/currency-codes/ for list of supported currency codes.',
    );
  }
  const fraction = value.split('.')[1] ?? '';
  if (decimals === 0 && fraction) {
    throw impossible(
      'DECIMALS_NOT_SUPPORTED',
      'Currency does not support decimals. Please refer to https://developer.paypal.com/docs/api/reference/currency-codes/ for more information.',
    );
  }
  if (fraction.length > decimals) {
    throw impossible(
      'DECIMAL_PRECISION',
      'If the currency supports decimals, only two decimal place precision is supported.',
    );
  }
  const units = Math.round(Number(value) * 10 ** decimals);
  if (units <= 0) {
    throw impossible(
      'CANNOT_BE_ZERO_OR_NEGATIVE',
      'Must be greater than zero. If the currency supports decimals, only two decimal place precision is supported.',
    );
  }
  return { currency, units };
}

export const moneyOf = ({ currency, units }: Sum): Money => {
  const decimals = DECIMALS[currency]!;
  return { currency_code: currency, value: (units / 10 ** decimals).toFixed(decimals) };
};

/** What PayPal takes a payment for besides its share, in the smallest unit. */
const FIXED: Record<string, number> = { THB: 1_100, JPY: 40, TWD: 10, HUF: 90 };

/**
 * What the account pays for a payment: 4.4 %, rounded half up, plus 11 THB, or what stands above, or 30 units; never more
 * than the payment. Nothing of it comes back with a refund.
 */
export const feeOf = ({ currency, units }: Sum): Sum => ({
  currency,
  units: Math.min(units, Math.round((units * 44) / 1000) + (FIXED[currency] ?? 30)),
});
