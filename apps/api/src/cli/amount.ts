import { toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import { UsageError } from './command.ts';

/** `99.00` in integer hundredths. @throws UsageError */
export function minorOf(text: string): number {
  const [, whole, hundredths = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const minor = Number(`${whole}${hundredths.padEnd(2, '0')}`);
  if (!(minor > 0)) throw new UsageError(`${text} is no amount: write it like 99.00`);
  return minor;
}

/** @throws UsageError for a fraction of a currency that has none */
export function inUnits(currency: string, minor: number): void {
  try {
    toProviderUnit(currency, minor);
  } catch {
    throw new UsageError(`${currency} has no hundredths`);
  }
}

/** Integer hundredths as an operator reads them: `THB 1,990.00`. */
export const moneyText = (minor: number, currency: string): string =>
  formatMoney(minor, currency, 'en').replace('\u00a0', ' ');
