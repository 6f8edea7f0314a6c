import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { type Cause, emit, type World } from './world.ts';

/** Books a charge in the balance: 3.65 % of fee, the Thai rate. */
export function bookCharge(world: World, cause: Cause, id: string): void {
  const charge = world.charges.get(id);
  if (!charge || charge.balance_transaction) return;
  const transaction = newBalanceTransaction(world.ids.next('txn_'), world.clock.seconds(), {
    amount: charge.amount,
    fee: Math.min(charge.amount, Math.round(charge.amount * 0.0365)),
    currency: charge.currency,
    source: charge.id,
    description: charge.description,
    type: charge.payment_method_details?.type === 'card' ? 'charge' : 'payment',
    reporting_category: 'charge',
  });
  world.balance.put(transaction.id, transaction);
  const booked = world.charges.put(id, { ...charge, balance_transaction: transaction.id });
  emit(world, cause, 'charge.updated', booked, { balance_transaction: null });
}
