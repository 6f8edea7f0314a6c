import type { Prices } from '../../../ports/payment-gateway.ts';
import type { PaymentDeps } from '../deps.ts';
import { attemptsWithRef } from '../store.ts';

/**
 * The price at which the unapplied coins of an invoice count, and the price now, where that is lower. Of several payments the
 * one whose price has fallen most decides.
 * @throws NamedFault when a gateway does not answer
 */
export async function fallenPrice(deps: PaymentDeps, invoiceId: string): Promise<Prices | undefined> {
  let fallen: Prices | undefined;
  for (const { attempt, ref } of await attemptsWithRef(deps.db, invoiceId)) {
    if (attempt.unapplied === 0) continue;
    const prices = await deps.gateways[attempt.method]?.prices?.(ref);
    if (!prices || prices.now >= prices.then) continue;
    if (!fallen || prices.now / prices.then < fallen.now / fallen.then) fallen = prices;
  }
  return fallen;
}
