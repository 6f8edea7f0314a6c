import { sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { closedPort } from '@fixpoint/domain/key/forward.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import { changeAtOnce, surplusKeys } from '@fixpoint/domain/subscription/upgrade.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { uncredited } from '../billing/index.ts';
import { type Product, pricedView, productById, type Quote, quote } from '../catalog/index.ts';
import { changeTotals, isDowngrade, refuseAction, stateOf } from '../subscription/index.ts';
import { ownSubscription } from './own-subscription.ts';
import { paidPeriods, paidSince } from './paid-since.ts';
import { refunded } from './refunded.ts';

/** The offer of another plan for a subscription. `price`, `net`, `vat`: the amount to pay for it. */
export type Change = Quote & {
  /** When it begins: now, or with the next period. */
  begins: Date;
  renewsAt: Date;
  /** Names of the keys beyond its number of devices, and of those whose limit is above its rate. */
  surplus: string[];
  limited: string[];
  /** The forwarded port that it closes. */
  closedPort: number | undefined;
  /** Only where it begins now. */
  upgrade?: UpgradeOffer;
};

/**
 * Offers another plan for a customer's subscription, with the same location and cycle. A plan that costs more begins at once
 * for the difference; a cheaper one begins with the next period.
 */
export async function changeOf(
  db: Db,
  now: Date,
  saleCountry: string,
  of: { customerId: string; subscriptionId: string; planId: string },
): Promise<Change | Refusal> {
  const row = await ownSubscription(db, of);
  if (!row) return refuse('subscriptionNotFound');
  const allowed = can(stateOf(row), 'upgrade', now);
  if (!allowed.ok) return refuseAction(allowed.refusal);
  const present = (await productById(db, row.product_id))!;
  if (present.planId === of.planId) return refuseAction('notNow');
  const found = await quote(db, now, saleCountry, row.currency, { ...present, planId: of.planId });
  if (!found) return refuse('productNotFound');
  const common = { ...found, firstYear: false, ...(await lossesOf(db, row.id, found.product)) };
  const end = row.period_end!;
  if (isDowngrade(found, row)) {
    const next = withVat(found.currency, found.renewal, found.vatRateBp);
    return { ...common, ...next, begins: end, renewsAt: end };
  }
  const paid = await paidPeriods(db, row.id, now);
  const periods = paid.map(one => ({
    period: { start: one.starts_at, end: one.ends_at },
    worth: one.worth,
    // The first period may have had an introductory price: compare with that of the new plan.
    price: one.purpose === 'purchase' ? found.price : found.renewal,
  }));
  const invoices = await paidSince(db, row.id, paid[0]?.starts_at ?? now);
  const change = changeAtOnce(found.currency, now, periods, await refunded(db, invoices));
  const totals = sumOf(changeTotals(found.currency, change, found.vatRateBp));
  return {
    ...common,
    price: totals.total,
    net: totals.net,
    vat: totals.vat,
    begins: now,
    renewsAt: end,
    upgrade: {
      version: row.version,
      days: change.days,
      unused: change.unused,
      price: change.price,
      rest: change.rest,
      invoices: invoices.map(({ id }) => id),
      left: (
        await uncredited(
          db,
          invoices.map(({ id }) => id),
        )
      ).total,
      periods: periods.map(({ period, price }) => ({ startsAt: period.start.toISOString(), price })),
    },
  };
}

/**
 * A plan change as its customer sees it before they agree.
 * @param carried the amount due that is carried to the next renewal, because no payment method takes so little
 */
export const changeView = (change: Change, now: Date, carried: number) => ({
  ...pricedView(change, now, change.renewsAt),
  change: {
    begins: change.begins.toISOString(),
    surplusKeys: change.surplus,
    liftedLimits: change.limited,
    ...(change.closedPort && { closedPort: change.closedPort }),
    ...(change.upgrade && {
      now: {
        days: change.upgrade.days,
        unused: change.upgrade.unused,
        price: change.upgrade.price,
        rest: change.upgrade.rest,
        ...(carried > 0 && { carried }),
      },
    }),
  },
});

/** The keys, limits and port that a subscription loses under a plan. */
async function lossesOf(db: Db, subscriptionId: string, { devices, rateMbit, portForward }: Product) {
  const keys = await db
    .selectFrom('vpn_key')
    .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
    .select(['vpn_key.id', 'name', 'created_at as createdAt', 'forwarded_port as forwardedPort'])
    .select('key_rate.rate_mbit as limit')
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .execute();
  const surplus = surplusKeys(keys, devices);
  const limited = keys.filter(key => !surplus.includes(key) && (key.limit ?? 0) > rateMbit);
  return {
    surplus: surplus.map(({ name }) => name),
    limited: limited.map(({ name }) => name),
    closedPort: closedPort(keys, surplus, portForward),
  };
}
