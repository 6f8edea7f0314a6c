import { toProviderUnit } from '@fixpoint/domain/kernel/money.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';

/** @throws InvalidInput for a fraction of a currency without minor units */
export function requireUnits(currency: string, minor: number): void {
  try {
    toProviderUnit(currency, minor);
  } catch {
    throw new InvalidInput(`${currency} has no hundredths`);
  }
}
