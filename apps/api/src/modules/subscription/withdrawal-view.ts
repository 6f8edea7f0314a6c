import { can } from '@fixpoint/domain/subscription/subscription.ts';
import {
  canStepBack,
  type Returns,
  returnsAfter,
  withdrawableUntil,
} from '@fixpoint/domain/subscription/withdrawal.ts';
import type { Db } from '../../ports/database.ts';
import { contractOf, withdrawalsOf } from './contract.ts';
import { type SubscriptionRow, stateOf } from './store.ts';

export type WithdrawalDeps = {
  db: Db;
  /** What a country's law refunds on withdrawal. A country that is missing here grants no such right. */
  withdrawal: Readonly<Record<string, Returns>>;
};

/**
 * The deadline for a withdrawal from the contract, and the countries whose laws allow it; undefined: not any more. Customers
 * who still wait for the subscription can always withdraw, whatever their country.
 */
export async function withdrawalView(
  { db, withdrawal }: WithdrawalDeps,
  row: Parameters<typeof stateOf>[0] & Pick<SubscriptionRow, 'id' | 'customer_id'>,
  now: Date,
) {
  const { id, customer_id: customerId, status } = row;
  const countries = Object.keys(withdrawal);
  if (countries.length === 0 && status !== 'provisioning') return undefined;
  if (!can(stateOf(row), 'withdraw', now).ok) return undefined;
  const contract = await contractOf(db, id);
  if (!contract) return undefined;
  if (canStepBack({ status, ...contract }, now)) return { countries: [], again: false };
  const until = withdrawableUntil(contract.concludedAt);
  if (countries.length === 0 || now >= until) return undefined;
  const withdrawals = await withdrawalsOf(db, customerId);
  if (!returnsAfter('days', contract.concludedAt, withdrawals)) return undefined;
  const again = Object.values(withdrawal).includes('full') && withdrawals.length > 0;
  return { until: until.toISOString(), countries, again };
}
