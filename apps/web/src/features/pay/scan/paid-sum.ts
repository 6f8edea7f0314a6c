import type { Payable } from '@fixpoint/contract/calls/paying.ts';
import { useFormat } from '../../../shop/format.ts';

type PaidSum = Pick<Extract<Payable, { kind: 'scan' }>, 'amount' | 'unit'>;

/**
 * Formats the amount of a scanned payment: baht as everywhere in the shop, bitcoin as wallets write
 * it.
 */
export function usePaidSum() {
  const { money } = useFormat();
  return ({ amount, unit }: PaidSum): string =>
    unit === 'BTC' ? `${amount} ${unit}` : money(Math.round(Number(amount) * 100), unit);
}
