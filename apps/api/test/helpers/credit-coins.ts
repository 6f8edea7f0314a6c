import type { GivenPayments } from '@fixpoint/testkit/given/payments.ts';
import { creditUnapplied } from '../../src/modules/checkout/credit-unapplied.ts';
import type { CheckoutDeps } from '../../src/modules/checkout/deps.ts';
import { fallenPrice } from '../../src/modules/payment/attempt/coin-prices.ts';

/** Makes coins that came for an invoice of the owner, and did not pay it, their credit. They have an active account. */
export function creditCoins({ deps, invoices, run }: GivenPayments, invoice: string): Promise<unknown> {
  const account = {
    byId: async () => ({ id: invoices.owner.customerId, hasPassword: true }),
    holdActive: async () => true,
  };
  const payment = { fallenPrice: (id: string) => fallenPrice(deps, id) };
  return run(() => creditUnapplied({ ...deps, account, payment } as unknown as CheckoutDeps, invoice));
}
