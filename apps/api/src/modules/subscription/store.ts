import type { Subscription } from '@fixpoint/domain/subscription/subscription.ts';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Product } from '../catalog/index.ts';

export type SubscriptionRow = Selectable<Tables['subscription']>;

/** The state of a row, as the rules of the domain need it. */
export const stateOf = (
  row: Pick<
    SubscriptionRow,
    | 'status'
    | 'started_at'
    | 'anchor_at'
    | 'period_start'
    | 'period_end'
    | 'cycle_count'
    | 'cancel_at_period_end'
    | 'suspended'
    | 'replaced_by'
    | 'port_forward'
  >,
): Subscription => ({
  status: row.status,
  startedAt: row.started_at,
  anchorAt: row.anchor_at,
  period: row.period_start && row.period_end && { start: row.period_start, end: row.period_end },
  cycleCount: row.cycle_count,
  cancelAtPeriodEnd: row.cancel_at_period_end,
  suspended: row.suspended,
  replaced: row.replaced_by !== null,
  portForward: row.port_forward,
});

/** Columns of a subscription's state, which a member may read. */
export const STATE = [
  'subscription.status',
  'subscription.started_at',
  'subscription.anchor_at',
  'subscription.period_start',
  'subscription.period_end',
  'subscription.cycle_count',
  'subscription.cancel_at_period_end',
  'subscription.suspended',
  'subscription.replaced_by',
  'subscription.port_forward',
] as const;

/** The columns of a subscription's plan. */
export const planColumns = (product: Product) => ({
  product_id: product.id,
  devices: product.devices,
  data_transfer_gb: product.dataTransferGb,
  rate_mbit: product.rateMbit,
  port_forward: product.portForward,
});

/** Columns of a subscription without a scheduled downgrade. */
export const NO_DOWNGRADE = {
  next_product_id: null,
  next_entitlements: null,
  next_renewal: null,
  next_from: null,
} as const;

/**
 * Changes a locked subscription and writes its history, in one statement.
 * @returns also whether it replaces a subscription that has not ended
 * @throws when it has changed since it was read
 */
export async function updateWithHistory(
  tx: Db,
  row: SubscriptionRow,
  change: Updateable<Tables['subscription']>,
  { at, command, detail }: { at: Date; command: string; detail: Facts },
): Promise<{ row: SubscriptionRow; replaces: boolean }> {
  const version = row.version + 1;
  const { replaces, ...changed } = await tx
    .with('changed', cte =>
      cte
        .updateTable('subscription')
        .set({ ...change, version })
        .where('id', '=', row.id)
        .where('version', '=', row.version)
        .returningAll(),
    )
    .with('recorded', cte =>
      cte.insertInto('subscription_history').values({
        subscription_id: row.id,
        customer_id: row.customer_id,
        version,
        at,
        command,
        from_status: row.status,
        to_status: change.status ?? row.status,
        detail,
      }),
    )
    .selectFrom('changed')
    .selectAll()
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .where('subscription.replaced_by', '=', row.id)
          .where('subscription.status', '!=', 'expired'),
      ).as('replaces'),
    )
    .executeTakeFirstOrThrow();
  return { row: changed, replaces: Boolean(replaces) };
}

/**
 * Whether a subscription is unchanged since an offer for it. An announced price does not count, because the customer pays
 * what they agreed to; nor does a forwarded port.
 */
export async function isUnchangedSince(
  db: Db,
  { id, version }: Pick<SubscriptionRow, 'id' | 'version'>,
  offered: number,
): Promise<boolean> {
  if (version === offered) return true;
  const moved = await db
    .selectFrom('subscription_history')
    .select('version')
    .where('subscription_id', '=', id)
    .where('version', '>', offered)
    .where('command', 'not in', ['announce', 'takeBack', 'openPort', 'closePort'])
    .limit(1)
    .executeTakeFirst();
  return moved === undefined;
}

/** The start of a scheduled downgrade whose period is paid already; undefined where there is none. */
export const paidChangeAt = (row: Pick<SubscriptionRow, 'next_from' | 'period_start'>): Date | undefined =>
  row.next_from && row.period_start && row.period_start >= row.next_from ? row.next_from : undefined;

/** Locks the customer's own subscription; undefined for another's and for an unknown one alike (S29). */
export const lockOwn = (tx: Db, customerId: string, id: string): Promise<SubscriptionRow | undefined> =>
  tx
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirst();

/** {@link lockOwn} for changes of its devices, which members make too: their role reads no price. */
export const lockForDevices = (tx: Db, customerId: string, id: string) =>
  tx
    .selectFrom('subscription')
    .select(STATE)
    .select('subscription.devices')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirst();

/** Stores the progress of a locked subscription's renewal, and when its next step is due. */
export const setRenewal = (
  tx: Db,
  { id }: SubscriptionRow,
  change: Partial<Pick<SubscriptionRow, 'due_at' | 'reminders' | 'reminded_at' | 'tries'>>,
) => tx.updateTable('subscription').set(change).where('id', '=', id).execute();

export const lockSubscription = (tx: Db, id: string): Promise<SubscriptionRow | undefined> =>
  tx.selectFrom('subscription').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Locks subscriptions in the order of their IDs, which avoids deadlocks. */
export const lockAll = (tx: Db, ids: readonly string[]): Promise<SubscriptionRow[]> =>
  tx
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Locks a subscription and those that it replaces, in the order of their IDs, which avoids deadlocks. */
export async function lockWithReplaced(tx: Db, id: string): Promise<SubscriptionRow | undefined> {
  const rows = await tx
    .selectFrom('subscription')
    .selectAll()
    .where(eb => eb.or([eb('id', '=', id), eb('replaced_by', '=', id)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.find(row => row.id === id);
}

/**
 * Paid invoices that have granted no period yet, the oldest first: that one pays the next period. That of an order only once
 * it is fulfilled: its money may become credit instead.
 */
export async function unusedInvoices(tx: Db, subscriptionId: string): Promise<string[]> {
  const unused = await tx
    .selectFrom('invoice')
    .leftJoin('subscription_period', 'subscription_period.invoice_id', 'invoice.id')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select('invoice.id')
    .where('invoice.subscription_id', '=', subscriptionId)
    .where('invoice.status', '=', 'paid')
    .where('invoice.purpose', '!=', 'upgrade')
    .where(eb => eb.or([eb('shop_order.id', 'is', null), eb('shop_order.status', '=', 'fulfilled')]))
    .where('subscription_period.invoice_id', 'is', null)
    .orderBy('invoice.paid_at')
    .execute();
  return unused.map(({ id }) => id);
}
