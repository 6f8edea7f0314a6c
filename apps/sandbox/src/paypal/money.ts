import { impossible } from './errors.ts';
import type { Money } from './wire.ts';

/** Currencies that PayPal accepts, with their number of decimals there. */
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

/** Amount in the smallest unit of its currency. */
export type Sum = { currency: string; units: number };

/** @throws PaypalRefusal for an invalid price */
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

/** PayPal's fixed fee per payment in the smallest unit. */
const FIXED: Record<string, number> = { THB: 1_100, JPY: 40, TWD: 10, HUF: 90 };

/**
 * Fee of a payment: 4.4 %, rounded half up, plus the fixed fee (30 units by default); never more
 * than the payment. It is not returned with a refund.
 */
export const feeOf = ({ currency, units }: Sum): Sum => ({
  currency,
  units: Math.min(units, Math.round((units * 44) / 1000) + (FIXED[currency] ?? 30)),
});
