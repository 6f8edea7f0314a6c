import { toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import { UsageError } from './command.ts';

/** Parses `99.00` to integer hundredths. @throws UsageError */
export function minorOf(text: string): number {
  const [, whole, hundredths = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const minor = Number(`${whole}${hundredths.padEnd(2, '0')}`);
  if (!(minor > 0)) throw new UsageError(`${text} is not an amount: write it like 99.00`);
  return minor;
}

/** @throws UsageError for a fraction of a currency without minor units */
export function inUnits(currency: string, minor: number): void {
  try {
    toProviderUnit(currency, minor);
  } catch {
    throw new UsageError(`${currency} has no hundredths`);
  }
}

/** Formats integer hundredths for an operator: `THB 1,990.00`. */
export const moneyText = (minor: number, currency: string): string =>
  formatMoney(minor, currency, 'en').replace('\u00a0', ' ');
