import type { Updateable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { type Product, productAsAgreed } from '../catalog/index.ts';
import { markDirty } from '../provisioning/index.ts';
import type { MoveDeps } from './deps.ts';
import { changeRow, NO_NEXT, planColumns, type SubscriptionRow } from './store.ts';

export type PlanDeps = MoveDeps & {
  /** Of key and bandwidth, against the order of modules: keys, limits and a port that a plan has no room for end. */
  fitKeys(
    tx: Db,
    of: { subscriptionId: string; customerId: string },
    plan: { devices: number; rateMbit: number; portForward: boolean },
  ): Promise<void>;
};

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
  await deps.fitKeys(tx, { subscriptionId: row.id, customerId: row.customer_id }, product);
  await markDirty(deps, tx, row.id);
}

/** The period of the cheaper plan has begun: it gives what was said when it was chosen. */
export async function beginPlanned(deps: PlanDeps, tx: Db, row: SubscriptionRow): Promise<void> {
  const product = await productAsAgreed(tx, row.next_product_id!, row.next_entitlements!);
  const to = { product, renewal: row.next_renewal!, vatRateBp: row.vat_rate_bp };
  await changePlan(deps, tx, row, 'downgrade', to);
}
