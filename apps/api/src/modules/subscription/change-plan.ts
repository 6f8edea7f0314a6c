import type { Updateable } from 'kysely';
import type { Publish } from '../../kernel/domain-event.ts';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { type Product, productAsAgreed } from '../catalog/index.ts';
import { markDirty } from '../provisioning/index.ts';
import type { TransitionDeps } from './deps.ts';
import { NO_DOWNGRADE, planColumns, type SubscriptionRow, updateWithHistory } from './store.ts';

/** Published when a subscription gets another plan, so that other modules end what that plan does not include. */
export type PlanEvent = {
  type: 'planChanged';
  subscriptionId: string;
  customerId: string;
  plan: { devices: number; rateMbit: number; portForward: boolean };
};

export type PlanDeps = TransitionDeps & { publish: Publish<PlanEvent> };

/** Changes a locked subscription, writes the change to its history and refreshes its customer's pages. */
export async function recordChange(
  deps: TransitionDeps,
  tx: Db,
  row: SubscriptionRow,
  command:
    | 'upgrade'
    | 'downgrade'
    | 'planDowngrade'
    | 'undoDowngrade'
    | 'announce'
    | 'takeBack'
    | 'openPort'
    | 'closePort',
  change: Updateable<Tables['subscription']>,
  detail: Facts,
): Promise<SubscriptionRow> {
  const at = deps.clock.now();
  const { row: changed } = await updateWithHistory(tx, row, change, { at, command, detail });
  await deps.live.publish(tx, `customer:${row.customer_id}`, 'SUBSCRIPTION', {
    event: 'detailFetch',
    id: row.id,
  });
  return changed;
}

/** The event that a subscription has this plan now. */
export const planChanged = (row: Pick<SubscriptionRow, 'id' | 'customer_id'>, plan: Product): PlanEvent => ({
  type: 'planChanged',
  subscriptionId: row.id,
  customerId: row.customer_id,
  plan,
});

/** Changes the plan of a locked subscription from now on. Its location, address, keys and periods stay. */
export async function changePlan(
  deps: PlanDeps,
  tx: Db,
  row: SubscriptionRow,
  command: 'upgrade' | 'downgrade',
  to: { product: Product; renewal: number; vatRateBp: number },
): Promise<void> {
  const { product, renewal, vatRateBp } = to;
  // An announced price is one of the old plan.
  const notAnnounced = { announced_renewal: null, announced_renewal_from: null };
  const change = {
    ...planColumns(product),
    ...NO_DOWNGRADE,
    ...notAnnounced,
    renewal,
    vat_rate_bp: vatRateBp,
  };
  await recordChange(deps, tx, row, command, change, { from: row.product_id, to: product.id });
  await deps.publish(tx, planChanged(row, product));
  await markDirty(deps, tx, row.id);
}

/** Begins a scheduled downgrade, with the entitlements that the customer agreed to. */
export async function beginDowngrade(deps: PlanDeps, tx: Db, row: SubscriptionRow): Promise<void> {
  const product = await productAsAgreed(tx, row.next_product_id!, row.next_entitlements!);
  const to = { product, renewal: row.next_renewal!, vatRateBp: row.vat_rate_bp };
  await changePlan(deps, tx, row, 'downgrade', to);
}
