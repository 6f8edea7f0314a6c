import { sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { decide } from '@fixpoint/domain/subscription/subscription.ts';
import { changeAtOnce, surplusKeys } from '@fixpoint/domain/subscription/upgrade.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { type Refusal, refuse, refuseFields } from '../../refusal.ts';
import { type Product, pricedView, productById, type Quote, quote } from '../catalog/index.ts';
import { changeTotals, isCheaper, stateOf } from '../subscription/index.ts';
import { paidSince } from './paid-since.ts';

/** What another plan is for a subscription. `price`, `net`, `vat`: what is to be paid for it. */
export type Change = Quote & {
  /** When it begins: now, or with the next period. */
  begins: Date;
  renewsAt: Date;
  /** Names of the keys that it has no room for, and of those whose limit is above its line. */
  surplus: string[];
  limited: string[];
  /** Of one that begins now. */
  upgrade?: UpgradeOffer;
};

/**
 * What a customer can change the plan of a subscription of his to, in the same place and for the same months: at once for
 * what it costs more, or with the next period where it costs less.
 */
export async function changeOf(
  db: Db,
  now: Date,
  saleCountry: string,
  of: { customerId: string; subscriptionId: string; planId: string },
): Promise<Change | Refusal> {
  const row = await ownRow(db, of);
  if (!row) return refuse('subscriptionNotFound');
  const allowed = decide(stateOf(row), 'upgrade', now);
  if (!allowed.ok) return refuse(allowed.refusal);
  const present = (await productById(db, row.product_id))!;
  if (present.planId === of.planId) return refuse('subscriptionNotExpired');
  const found = await quote(db, saleCountry, row.currency, { ...present, planId: of.planId });
  if (!found) return refuse('productNotFound');
  const common = { ...found, firstYear: false, ...(await lossesOf(db, row.id, found.product)) };
  const end = row.period_end!;
  if (isCheaper(found, row)) {
    const next = withVat(found.currency, found.renewal, found.vatRateBp);
    return { ...common, ...next, begins: end, renewsAt: end };
  }
  const paid = await paidPeriods(db, row.id, now);
  const periods = paid.map(one => ({
    period: { start: one.starts_at, end: one.ends_at },
    worth: one.worth,
    // A first period may cost less than later ones: then it would have with this plan, too.
    price: one.purpose === 'purchase' ? found.price : found.renewal,
  }));
  const change = changeAtOnce(found.currency, now, periods, await givenBack(db, row.id, paid));
  const totals = sumOf(changeTotals(found.currency, change, found.vatRateBp, row.vat_rate_bp));
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
      periods: periods.map(({ period, price }) => ({ startsAt: period.start.toISOString(), price })),
    },
  };
}

/** A change of plan as its customer sees it before he agrees. */
export const changeView = (change: Change, now: Date) => ({
  ...pricedView(change, now),
  renewsAt: change.renewsAt.toISOString(),
  change: {
    begins: change.begins.toISOString(),
    surplusKeys: change.surplus,
    liftedLimits: change.limited,
    ...(change.upgrade && {
      now: {
        days: change.upgrade.days,
        unused: change.upgrade.unused,
        price: change.upgrade.price,
        rest: change.upgrade.rest,
      },
    }),
  },
});

/** Why an upgrade is not taken any more as it was offered; undefined: it is. */
export async function refusedUpgrade(
  db: Db,
  now: Date,
  of: { customerId: string; subscriptionId: string },
  { version }: UpgradeOffer,
): Promise<Refusal | undefined> {
  const row = await ownRow(db, of);
  if (!row) return refuse('subscriptionNotFound');
  const allowed = decide(stateOf(row), 'upgrade', now);
  if (!allowed.ok) return refuse(allowed.refusal);
  return row.version === version ? undefined : refuseFields({ price: 'form.price.changed' });
}

const ownRow = (db: Db, { customerId, subscriptionId }: { customerId: string; subscriptionId: string }) =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();

/** The periods of a subscription that are not over, with what for they were paid. */
const paidPeriods = (db: Db, subscriptionId: string, now: Date) =>
  db
    .selectFrom('subscription_period as period')
    .innerJoin('invoice', 'invoice.id', 'period.invoice_id')
    .select(['period.starts_at', 'period.ends_at', 'period.worth', 'period.upgraded_at', 'invoice.purpose'])
    .where('period.subscription_id', '=', subscriptionId)
    .where('period.ends_at', '>', now)
    .orderBy('period.starts_at')
    .execute();

/** What credit notes took back of these periods, and of upgrades in them, since an upgrade last reckoned with it. */
async function givenBack(
  db: Db,
  subscriptionId: string,
  paid: readonly { starts_at: Date; upgraded_at: Date | null }[],
): Promise<number> {
  const [first] = paid;
  if (!first) return 0;
  const reckoned = Math.max(0, ...paid.map(({ upgraded_at: at }) => at?.getTime() ?? 0));
  const { total } = await paidSince(db, subscriptionId, first.starts_at)
    .innerJoin('credit_note', 'credit_note.invoice_id', 'invoice.id')
    .select(eb => sql<number>`coalesce(${eb.fn.sum('credit_note.total')}, 0)::bigint`.as('total'))
    .where('credit_note.issued_at', '>', new Date(reckoned))
    .executeTakeFirstOrThrow();
  return total;
}

/** What the keys of a subscription lose to a plan, by their names. */
async function lossesOf(db: Db, subscriptionId: string, { devices, rateMbit }: Product) {
  const keys = await db
    .selectFrom('vpn_key')
    .leftJoin('key_rate', 'key_rate.key_id', 'vpn_key.id')
    .select(['vpn_key.id', 'name', 'created_at as createdAt', 'key_rate.rate_mbit as limit'])
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .execute();
  const surplus = surplusKeys(keys, devices);
  const limited = keys.filter(key => !surplus.includes(key) && (key.limit ?? 0) > rateMbit);
  return { surplus: surplus.map(({ name }) => name), limited: limited.map(({ name }) => name) };
}
