import { satoshiOf } from './amounts.ts';
import type { Invoice, Payment } from './state.ts';

/** Sum in satoshi. */
export const sumOf = (payments: readonly Payment[]) =>
  payments.reduce((all, { satoshi }) => all + satoshi, 0);

/** Payments that count: those that no other transaction has replaced. */
export const accounted = ({ payments }: Invoice): Payment[] =>
  payments.filter(({ status }) => status !== 'Invalid');

/** Returns the price, the payments and the missing amount (below 0: overpaid), in satoshi. */
export function accountOf(invoice: Invoice): { wanted: number; paid: number; due: number } {
  const wanted = satoshiOf(invoice.price, invoice.rate);
  const paid = sumOf(accounted(invoice));
  return { wanted, paid, due: wanted - paid };
}

/** Returns the states that an invoice can be marked with manually. */
export function markable({ status, additionalStatus }: Invoice): ('Settled' | 'Invalid')[] {
  const marked = additionalStatus === 'Marked';
  return [
    ...(status !== 'Settled' ? (['Settled'] as const) : []),
    ...(['New', 'Processing', 'Expired'].includes(status) || (marked && status !== 'Invalid')
      ? (['Invalid'] as const)
      : []),
  ];
}
