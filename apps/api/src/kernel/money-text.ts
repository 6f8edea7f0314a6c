import { formatMoney } from '@fixpoint/texts/format.ts';

/** Formats integer hundredths for an operator: `THB 1,990.00`. */
export const moneyText = (minor: number, currency: string): string =>
  formatMoney(minor, currency, 'en').replace('\u00a0', ' ');
