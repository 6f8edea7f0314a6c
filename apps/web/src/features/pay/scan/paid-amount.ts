import type { NextAction } from '@fixpoint/contract/calls/paying.ts';
import { useFormat } from '../../../shop/format.ts';

type PaidAmount = Pick<Extract<NextAction, { kind: 'scan' }>, 'amount' | 'unit'>;

/**
 * Formats the amount of a scanned payment: baht as everywhere in the shop, bitcoin as wallets write
 * it.
 */
export function usePaidAmount() {
  const { money } = useFormat();
  return ({ amount, unit }: PaidAmount): string =>
    unit === 'BTC' ? `${amount} ${unit}` : money(Math.round(Number(amount) * 100), unit);
}
