import { toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';

/** @throws InvalidInput for a fraction of a currency without minor units */
export function requireUnits(currency: string, minor: number): void {
  try {
    toProviderUnit(currency, minor);
  } catch {
    throw new InvalidInput(`${currency} has no hundredths`);
  }
}

/** Formats integer hundredths for an operator: `THB 1,990.00`. */
export const moneyText = (minor: number, currency: string): string =>
  formatMoney(minor, currency, 'en').replace('\u00a0', ' ');
