import { nextCheck, remindersDue } from '@fixpoint/domain/subscription/renewal.ts';
import {
  type Command,
  decide,
  type Effect,
  type Period,
  type Refusal,
  type Subscription,
  servedUntil,
} from '@fixpoint/domain/subscription/subscription.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import {
  endReservation,
  leaveHost,
  markDirty,
  releaseAddress,
  reserveAddress,
} from '../provisioning/index.ts';
import type { TransitionDeps } from './deps.ts';
import {
  NO_DOWNGRADE,
  paidChangeAt,
  type SubscriptionRow,
  stateOf,
  unusedInvoices,
  updateWithHistory,
} from './store.ts';

/** `unused`: further paid invoices that have granted no period yet, where the oldest one has granted one now. */
export type Transition =
  | { ok: true; row: SubscriptionRow; effects: Effect[]; unused: string[] }
  | { ok: false; refusal: Refusal };

/**
 * Applies a command to a locked subscription in the caller's transaction: writes state, version and history, carries out the
 * effects and refreshes its customer's pages. Nothing else writes a subscription's state.
 * @param detail facts for its history
 * @param paidBy the invoice of the period that this grants; undefined: the oldest paid one that has granted none
 */
export async function transitionSubscription(
  deps: TransitionDeps,
  tx: Db,
  row: SubscriptionRow,
  command: Command,
  detail: Facts = {},
  paidBy?: string,
): Promise<Transition> {
  const now = deps.clock.now();
  const before = stateOf(row);
  const decision = decide(before, command, now);
  if (!decision.ok) return decision;
  const { next, effects } = decision;
  if (sameState(before, next)) {
    for (const effect of effects) await applyEffect(deps, tx, row, effect);
    return { ok: true, row, effects, unused: [] };
  }
  const grant = effects.find(effect => effect.effect === 'grantPeriod');
  const [oldest, ...unused] = grant && !paidBy ? await unusedInvoices(tx, row.id) : [];
  const paid = grant && { invoiceId: requirePaid(row, paidBy ?? oldest), withReceipt: !paidBy };
  const granted = grant && paid && { invoiceId: paid.invoiceId, day: grant.period.end.toISOString() };
  const change = {
    status: next.status,
    started_at: next.startedAt,
    anchor_at: next.anchorAt,
    period_start: next.period?.start ?? null,
    period_end: next.period?.end ?? null,
    cancel_at_period_end: next.cancelAtPeriodEnd,
    ...renewalAfter(row, next, now),
    // A customer who pays for the next period owns the subscription: it is no gift any more.
    ...((command === 'renew' || command === 'reactivate') && { is_gift: false }),
    ...(!next.replaced && { replaced_by: null }),
    suspended: next.suspended,
    ...announcedAfter(row, next),
    // A scheduled downgrade ends with the subscription.
    ...(next.status === 'expired' && NO_DOWNGRADE),
  };
  const { row: moved, replaces } = await updateWithHistory(tx, row, change, {
    at: now,
    command,
    detail: { ...detail, ...granted },
  });
  for (const effect of effects) await applyEffect(deps, tx, moved, effect, paid);
  if (before.suspended && next.status === 'expired') await endDisputeCause(tx, row.id, now);
  if (command === 'withdraw') await spendUnused(tx, moved);
  if (replaces && (command === 'activate' || command === 'withdraw')) await retireReplaced(deps, tx, moved);
  // The host must know the new end: it stops the subscription then by itself, even when the shop is down.
  if (untilOf(before)?.getTime() !== untilOf(next)?.getTime()) await markDirty(deps, tx, row.id);
  await deps.live.publish(tx, `customer:${row.customer_id}`, 'SUBSCRIPTION', {
    event: 'detailFetch',
    id: row.id,
  });
  return { ok: true, row: moved, effects, unused };
}

/** A dispute suspends up to the end alone: re-activation costs a new payment. */
const endDisputeCause = (tx: Db, subscriptionId: string, now: Date) =>
  tx
    .updateTable('suspension')
    .set({ lifted_at: now })
    .where('subscription_id', '=', subscriptionId)
    .where('cause', '=', 'dispute')
    .where('lifted_at', 'is', null)
    .execute();

/** Ends the subscription that this one replaces, once this one runs or never will. */
async function retireReplaced(deps: TransitionDeps, tx: Db, by: SubscriptionRow): Promise<void> {
  const replaced = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('replaced_by', '=', by.id)
    .where('status', '!=', 'expired')
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of replaced) {
    const moved = await transitionSubscription(deps, tx, row, 'retire', { by: by.id });
    if (!moved.ok) throw new Error(`Subscription ${row.id} is ${row.status}, not to be retired`);
    await deps.jobs.enqueue(tx, 'sendEmail', {
      template: 'expired',
      customerId: row.customer_id,
      subjectId: row.id,
      copy: String(moved.row.version),
    });
  }
}

const untilOf = ({ period, cancelAtPeriodEnd }: Subscription): Date | null =>
  servedUntil({ end: period?.end ?? null, cancelled: cancelAtPeriodEnd });

/** The renewal of a period about which nobody was told anything yet. */
const FRESH = { reminders: 0, reminded_at: null, tries: 0 };

/** The next renewal step after a change: a new period, or one that now ends or goes on, reschedules it. */
export function renewalAfter(row: SubscriptionRow, next: Subscription, now: Date) {
  if (!next.period || next.status === 'expired') return { due_at: null, ...FRESH };
  const { period, cycleCount } = next;
  const fresh = {
    period,
    cycleCount,
    ends: ends(next),
    openedAt: null,
    remindedAt: null,
    reminders: 0,
    tries: 0,
  };
  if (period.end.getTime() === row.period_end?.getTime()) {
    // A missed renewal continues by its own steps.
    if (ends(next) === ends(stateOf(row))) return {};
    // Reminders that would be due by now are skipped: the email about this change says the same.
    return {
      due_at: now,
      tries: 0,
      reminders: remindersDue({ ...fresh, collectionMethod: 'chargeAutomatically' }, now),
    };
  }
  const look = nextCheck(fresh);
  const change = paidChangeAt({ next_from: row.next_from, period_start: period.start });
  return { due_at: change && change < look ? change : look, ...FRESH };
}

/** Whether it currently ends with its period. */
const ends = ({ cancelAtPeriodEnd, suspended }: Subscription): boolean => cancelAtPeriodEnd || suspended;

const NO_PRICE = { announced_renewal: null, announced_renewal_from: null };
const NO_VAT = { announced_vat_rate_bp: null, announced_vat_from: null, announced_vat_day: null };

/** Applies an announced price from the first period that was paid at it. An ended subscription drops it, and a rate of VAT. */
function announcedAfter(row: SubscriptionRow, next: Subscription) {
  if (next.status === 'expired') return { ...NO_PRICE, ...NO_VAT };
  const has = (from: Date | null) => from !== null && next.period !== null && from <= next.period.start;
  return {
    ...(has(row.announced_renewal_from) && { renewal: row.announced_renewal!, ...NO_PRICE }),
  };
}

const sameState = (a: Subscription, b: Subscription): boolean =>
  a.status === b.status &&
  a.period === b.period &&
  a.cancelAtPeriodEnd === b.cancelAtPeriodEnd &&
  a.suspended === b.suspended &&
  a.replaced === b.replaced;

async function applyEffect(
  deps: TransitionDeps,
  tx: Db,
  row: SubscriptionRow,
  effect: Effect,
  paid?: { invoiceId: string; withReceipt: boolean },
): Promise<void> {
  switch (effect.effect) {
    case 'grantPeriod': {
      const { invoiceId, withReceipt } = paid!;
      await grantPeriod(tx, row, effect.period, invoiceId);
      // The receipt names the period, so it is written now. That of a renewal is written later by a task.
      if (withReceipt) await deps.jobs.enqueue(tx, 'generateDocuments', { invoiceId });
      return;
    }
    case 'cutPeriods':
      return cutPeriods(tx, row.id, deps.clock.now());
    case 'leaveHost':
      await leaveHost(deps, tx, row.id);
      await (effect.address === 'reserved' ? reserveAddress : releaseAddress)(deps, tx, row.id);
      return;
    case 'findHost':
      await endReservation(tx, row.id);
      await deps.jobs.enqueue(tx, 'placeSubscription', { subscriptionId: row.id });
      return;
    case 'updateHost':
      return markDirty(deps, tx, row.id);
    default: {
      const never: never = effect;
      throw new Error(String(never));
    }
  }
}

function requirePaid({ id }: SubscriptionRow, invoiceId: string | undefined): string {
  if (!invoiceId) throw new Error(`Nothing paid is left for another period of ${id}`);
  return invoiceId;
}

/** Grants a period, and keeps the rate of VAT at which it was paid: an announced one has come true. */
const grantPeriod = (tx: Db, row: SubscriptionRow, period: Period, invoiceId: string) =>
  tx
    .with('rated', cte =>
      cte
        .updateTable('subscription')
        .from('invoice_line as line')
        .set({
          vat_rate_bp: sql<number>`line.vat_rate_bp`,
          announced_vat_rate_bp: sql`nullif(announced_vat_rate_bp, line.vat_rate_bp)`,
          announced_vat_from: sql`case when announced_vat_rate_bp <> line.vat_rate_bp then announced_vat_from end`,
          announced_vat_day: sql`case when announced_vat_rate_bp <> line.vat_rate_bp then announced_vat_day end`,
        })
        .where('subscription.id', '=', row.id)
        .where('line.invoice_id', '=', invoiceId)
        .where('line.position', '=', 1),
    )
    .insertInto('subscription_period')
    .columns(['subscription_id', 'customer_id', 'starts_at', 'ends_at', 'invoice_id', 'worth'])
    .expression(eb =>
      eb
        .selectFrom('invoice')
        .select(({ val, ref }) => [
          val(row.id).as('subscription_id'),
          val(row.customer_id).as('customer_id'),
          sql<Date>`${period.start}::timestamptz`.as('starts_at'),
          sql<Date>`${period.end}::timestamptz`.as('ends_at'),
          ref('id').as('invoice_id'),
          ref('total').as('worth'),
        ])
        .where('id', '=', invoiceId),
    )
    .execute();

/**
 * Grants each unused invoice of a withdrawn subscription a period of one millisecond, so that none of them can grant one
 * later.
 */
async function spendUnused(tx: Db, row: SubscriptionRow): Promise<void> {
  let end = row.period_end!.getTime();
  for (const invoiceId of await unusedInvoices(tx, row.id)) {
    const period = { start: new Date(end), end: new Date(end + 1) };
    await grantPeriod(tx, row, period, invoiceId);
    end += 1;
  }
}

/**
 * Ends the periods that go beyond `now`. Those that have not begun shrink to one millisecond each, one after another from now
 * on: at their old time they would overlap with those of a reactivation.
 */
async function cutPeriods(tx: Db, subscriptionId: string, now: Date): Promise<void> {
  const granted = tx.selectFrom('subscription_period').where('subscription_id', '=', subscriptionId);
  const unbegun = await granted
    .select('starts_at')
    .where('starts_at', '>=', now)
    .orderBy('starts_at')
    .execute();
  const change = tx.updateTable('subscription_period').where('subscription_id', '=', subscriptionId);
  await change.set({ ends_at: now }).where('starts_at', '<', now).where('ends_at', '>', now).execute();
  const after = (ms: number) => new Date(now.getTime() + ms);
  for (const [index, { starts_at }] of unbegun.entries()) {
    const moment = { starts_at: after(index), ends_at: after(index + 1) };
    await change.set(moment).where('starts_at', '=', starts_at).execute();
  }
}
