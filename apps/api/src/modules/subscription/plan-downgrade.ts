import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { voidRenewal } from '../billing/index.ts';
import { entitlementsOf, productById, quote } from '../catalog/index.ts';
import { recordChange } from './change-plan.ts';
import { closeRenewal } from './close-renewal.ts';
import type { SubscriptionDeps } from './deps.ts';
import { refuseAction } from './refuse-action.ts';
import { lockOwn, NO_DOWNGRADE, paidChangeAt, type SubscriptionRow, setRenewal, stateOf } from './store.ts';

export type DowngradeDeps = SubscriptionDeps & {
  saleCountry: string;
  /** From payment, which this module must not import: closes the attempts of an invoice. */
  close(invoiceId: string): Promise<void>;
};

type Downgrade = { id: string; planId: string | null };
type Planned = { planned: { planId: string; from: string } | null };

/**
 * Schedules a cheaper plan for the next period, or revokes that, until the next period is paid. Its open invoice is voided, and
 * another one is opened at once.
 * @param of `planId` null: revokes
 */
export async function planDowngrade(
  deps: DowngradeDeps,
  customerId: string,
  { id, planId }: Downgrade,
): Promise<Refusal | Planned> {
  const { db, clock, jobs, saleCountry } = deps;
  await closeRenewal(deps, { customerId, subscriptionId: id });
  return db.transaction().execute(async tx => {
    const row = await lockOwn(tx, customerId, id);
    if (!row) return refuse('subscriptionNotFound');
    const now = clock.now();
    const allowed = can(stateOf(row), 'upgrade', now);
    if (!allowed.ok) return refuseAction(allowed.refusal);
    if (paidChangeAt(row)) return refuseAction('notNow');
    const present = (await productById(tx, row.product_id))!;
    const found =
      planId === null ? undefined : await quote(tx, now, saleCountry, row.currency, { ...present, planId });
    if (planId !== null && !(found && isDowngrade(found, row))) return refuse('productNotFound');
    const answer = found ? { planId: found.product.planId, from: row.period_end!.toISOString() } : null;
    if ((found?.product.id ?? null) === row.next_product_id) return { planned: answer };
    const changed = await recordChange(
      deps,
      tx,
      row,
      found ? 'planDowngrade' : 'undoDowngrade',
      {
        ...NO_DOWNGRADE,
        ...(found && {
          next_product_id: found.product.id,
          next_entitlements: entitlementsOf(found.product),
          next_renewal: found.renewal,
          next_from: row.period_end,
        }),
      },
      {
        from: row.product_id,
        to: found?.product.id ?? row.product_id,
        day: row.period_end!.toISOString(),
      },
    );
    await voidRenewal(tx, now, id);
    await setRenewal(tx, changed, { due_at: now, tries: 0 });
    const template = found ? 'downgradePlanned' : 'downgradeUndone';
    const copy = String(changed.version);
    await jobs.enqueue(tx, 'sendEmail', { template, customerId, subjectId: id, copy });
    return { planned: answer };
  });
}

/**
 * Whether a plan is a downgrade: it costs no more than the current one will in the next period. A dearer plan is an upgrade,
 * which is paid and begins at once.
 */
export function isDowngrade(
  offered: { product: { id: string }; renewal: number },
  row: Pick<
    SubscriptionRow,
    'product_id' | 'renewal' | 'period_end' | 'announced_renewal' | 'announced_renewal_from'
  >,
): boolean {
  const { announced_renewal_from: from, period_end: end } = row;
  // Not `coming_renewal`: that is the price of a downgrade that is scheduled already.
  const coming = from && end && from <= end ? row.announced_renewal! : row.renewal;
  return offered.product.id !== row.product_id && offered.renewal <= coming;
}
