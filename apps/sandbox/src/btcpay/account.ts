import { satoshiOf } from './amounts.ts';
import type { Invoice, Payment } from './state.ts';

/** In satoshi. */
export const sumOf = (payments: readonly Payment[]) =>
  payments.reduce((all, { satoshi }) => all + satoshi, 0);

/** What counts: everything that no other transaction has replaced. */
export const accounted = ({ payments }: Invoice): Payment[] =>
  payments.filter(({ status }) => status !== 'Invalid');

/** What the invoice asks for, what came, and what is missing (below 0: too much), in satoshi. */
export function accountOf(invoice: Invoice): { wanted: number; paid: number; due: number } {
  const wanted = satoshiOf(invoice.price, invoice.rate);
  const paid = sumOf(accounted(invoice));
  return { wanted, paid, due: wanted - paid };
}

/** What an invoice can be marked as by hand. */
export function markable({ status, additionalStatus }: Invoice): ('Settled' | 'Invalid')[] {
  const marked = additionalStatus === 'Marked';
  return [
    ...(status !== 'Settled' ? (['Settled'] as const) : []),
    ...(['New', 'Processing', 'Expired'].includes(status) || (marked && status !== 'Invalid')
      ? (['Invalid'] as const)
      : []),
  ];
}
