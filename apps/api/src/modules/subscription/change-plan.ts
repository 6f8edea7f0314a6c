import type { Updateable } from 'kysely';
import type { Publish } from '../../kernel/domain-event.ts';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { type Product, productAsAgreed } from '../catalog/index.ts';
import { markDirty } from '../provisioning/index.ts';
import type { MoveDeps } from './deps.ts';
import { changeRow, NO_NEXT, planColumns, type SubscriptionRow } from './store.ts';

/** A subscription has another plan: what that one has no room for ends, here and where its keys and limits are kept. */
export type PlanEvent = {
  type: 'planChanged';
  subscriptionId: string;
  customerId: string;
  plan: { devices: number; rateMbit: number; portForward: boolean };
};

export type PlanDeps = MoveDeps & { publish: Publish<PlanEvent> };

/** Has a locked subscription told as another one than before, in its history and on its customer's pages. */
export async function recordChange(
  deps: MoveDeps,
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
  const changed = await changeRow(tx, row, change, { at: deps.clock.now(), command, detail });
  await deps.live.publish(tx, `customer:${row.customer_id}`, 'SUBSCRIPTION', {
    event: 'detailFetch',
    id: row.id,
  });
  return changed;
}

/** That a subscription has this plan now. */
export const planChanged = (row: Pick<SubscriptionRow, 'id' | 'customer_id'>, plan: Product): PlanEvent => ({
  type: 'planChanged',
  subscriptionId: row.id,
  customerId: row.customer_id,
  plan,
});

/** Gives a locked subscription another plan from now on; its place, address, keys and days stay. */
export async function changePlan(
  deps: PlanDeps,
  tx: Db,
  row: SubscriptionRow,
  command: 'upgrade' | 'downgrade',
  to: { product: Product; renewal: number; vatRateBp: number },
): Promise<void> {
  const { product, renewal, vatRateBp } = to;
  // What was announced was another price of the plan before.
  const plain = { announced_renewal: null, announced_renewal_from: null };
  const change = { ...planColumns(product), ...NO_NEXT, ...plain, renewal, vat_rate_bp: vatRateBp };
  await recordChange(deps, tx, row, command, change, { from: row.product_id, to: product.id });
  await deps.publish(tx, planChanged(row, product));
  await markDirty(deps, tx, row.id);
}

/** The period of the cheaper plan has begun: it gives what was said when it was chosen. */
export async function beginPlanned(deps: PlanDeps, tx: Db, row: SubscriptionRow): Promise<void> {
  const product = await productAsAgreed(tx, row.next_product_id!, row.next_entitlements!);
  const to = { product, renewal: row.next_renewal!, vatRateBp: row.vat_rate_bp };
  await changePlan(deps, tx, row, 'downgrade', to);
}
