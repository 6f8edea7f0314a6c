import type { CollectionMethod } from '@fixpoint/domain/subscription/collection-method.ts';
import {
  chargeAt,
  type DueStep,
  dueStep,
  openAt,
  type Renewal,
  type RenewalStep,
  recheckAt,
  remindersDue,
  triesDue,
} from '@fixpoint/domain/subscription/renewal.ts';
import { nextPeriod } from '@fixpoint/domain/subscription/subscription.ts';
import { contactEmail, contactLanguage } from '../../database/contact.ts';
import { failPoint } from '../../kernel/failpoints.ts';
import type { Db } from '../../ports/database.ts';
import type { EmailTemplate } from '../../ports/jobs.ts';
import type { Seller } from '../../ports/json-columns.ts';
import { openRenewal, openRenewalOf, voidRenewal } from '../billing/index.ts';
import { soldProduct, vatRateOf } from '../catalog/index.ts';
import { beginDowngrade, type PlanDeps } from './change-plan.ts';
import type { SubscriptionDeps } from './deps.ts';
import { grantRenewal } from './on-renewal-invoice.ts';
import { periodLines } from './period-lines.ts';
import { endsWithoutGrace } from './spent-grace.ts';
import { lockSubscription, paidChangeAt, type SubscriptionRow, setRenewal } from './store.ts';
import { transitionSubscription } from './transition.ts';

export type RenewDeps = SubscriptionDeps &
  PlanDeps & {
    /** The seller as invoices name it. */
    seller: Seller;
    /** From payment, which this module must not import: how it is paid, closing its attempts, and whether money is in flight. */
    collectionMethod(tx: Db, of: { customerId: string; subscriptionId: string }): Promise<CollectionMethod>;
    close(invoiceId: string): Promise<void>;
    isPaidOnItsWay(tx: Db, invoiceId: string): Promise<boolean>;
  };

/** An overdue renewal with money on its way is looked at again after this long. */
const WAIT_MS = 60 * 60_000;
/** Limit of rounds; no renewal needs as many. */
const MOST = 12;

/**
 * Takes all due steps of a subscription's renewal in one transaction under its lock, and schedules the next. Each step happens
 * once, also with two workers or after a crash.
 */
export async function renewSubscription(deps: RenewDeps, subscriptionId: string): Promise<void> {
  for (let rounds = 0; rounds < MOST; rounds += 1) {
    const next = await deps.db.transaction().execute(tx => takeSteps(deps, tx, subscriptionId));
    failPoint('renewal.stepped');
    if (next === 'done') return;
    if (next === 'again') continue;
    // Open attempts are closed at the gateway first; money that is faster counts.
    await deps.close(next.closes);
    failPoint('renewal.closed');
    const after = next.restarts ? restart : expire;
    await deps.db.transaction().execute(tx => after(deps, tx, subscriptionId));
  }
}

/**
 * `again`: the row has changed since it was read. `closes`: the invoice to close before the subscription ends, or its renewal
 * restarts.
 */
type Next = 'done' | 'again' | { closes: string; restarts: boolean };

async function takeSteps(deps: RenewDeps, tx: Db, subscriptionId: string): Promise<Next> {
  const row = await lockSubscription(tx, subscriptionId);
  const now = deps.clock.now();
  if (!row?.due_at || row.due_at > now) return 'done';
  const change = paidChangeAt(row);
  if (change && change <= now) {
    await beginDowngrade(deps, tx, row);
    return 'again';
  }
  let at: At = { ...(await renewalOf(deps, tx, row)), row, now };
  for (;;) {
    const { step, at: due } = await announcedStep(tx, at);
    const { reminders, remindedAt: reminded_at, tries } = at.renewal;
    if (due > now) {
      const due_at = change && change < due ? change : due;
      await setRenewal(tx, row, { reminders, reminded_at, tries, due_at });
      return 'done';
    }
    if (step === 'end' || step === 'expire' || step === 'restart') {
      if (!at.invoice) {
        await expireNow(deps, tx, at.row);
        return 'done';
      }
      await setRenewal(tx, row, { reminders, reminded_at, tries, due_at: now });
      return { closes: at.invoice.id, restarts: step === 'restart' };
    }
    const after = await steps[step](deps, tx, at);
    if (!after) return 'again';
    at = { ...at, ...after };
  }
}

async function renewalOf(deps: RenewDeps, tx: Db, row: SubscriptionRow) {
  const invoice = await openRenewalOf(tx, row.id);
  const isGraceless = await endsWithoutGrace(tx, deps.clock.now(), row, invoice);
  const renewal: Renewal = {
    period: { start: row.period_start!, end: row.period_end! },
    cycleCount: row.cycle_count,
    ends: row.cancel_at_period_end || row.suspended || isGraceless,
    collectionMethod: await deps.collectionMethod(tx, {
      customerId: row.customer_id,
      subscriptionId: row.id,
    }),
    reminders: row.reminders,
    remindedAt: row.reminded_at,
    openedAt: invoice?.issued_at ?? null,
    tries: row.tries,
  };
  return { renewal, invoice, isGraceless };
}

/**
 * Plan and price of the next period: the current plan, or a scheduled downgrade, as announced. With the VAT of today; a
 * payment on another day changes that (M4).
 */
async function nextPlan({ seller: { country } }: RenewDeps, tx: Db, row: SubscriptionRow, now: Date) {
  const vatRateBp = country === undefined ? undefined : await vatRateOf(tx, country, now);
  return {
    product: await soldProduct(tx, row.next_product_id ?? row.product_id),
    currency: row.currency,
    price: row.coming_renewal,
    vat_rate_bp: vatRateBp ?? row.vat_rate_bp,
  };
}

type At = {
  row: SubscriptionRow;
  renewal: Renewal;
  invoice: { id: string } | undefined;
  now: Date;
};

/** The step that is due, or a reminder before a charge whose own one has not left: once, the next charge waits for a day. */
async function announcedStep(tx: Db, { row, renewal, now }: At): Promise<DueStep> {
  const next = dueStep(renewal, now);
  const { period, collectionMethod, remindedAt } = renewal;
  if (next.step !== 'open' || next.at > now || collectionMethod !== 'chargeAutomatically') return next;
  const isLate = chargeAt(period, remindedAt) > chargeAt(period);
  if (isLate || !(await isReminderWaiting(tx, row))) return next;
  return { step: 'remind', at: now };
}

/** Whether the reminder of a renewal still waits for others: workers have slept since it was collected. */
async function isReminderWaiting(tx: Db, row: SubscriptionRow): Promise<boolean> {
  const waiting = await tx
    .selectFrom('collected_email')
    .select('id')
    .where('customer_id', '=', row.customer_id)
    .where('kind', '=', 'renewalAhead')
    .where('subject_id', '=', row.id)
    .where('sent_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** A step of a renewal. @returns what it changes; undefined: the subscription has changed, so read it again */
type Step = (deps: RenewDeps, tx: Db, at: At) => Promise<Partial<At> | undefined>;

const steps: Record<Exclude<RenewalStep['step'], 'expire' | 'end'>, Step> = {
  async remind(deps, tx, { row, renewal, now }) {
    const reminders = remindersDue(renewal, now);
    const reminded = { renewal: { ...renewal, reminders, remindedAt: now } };
    if (!isReminderOf(renewal, now)) return reminded;
    const template = renewal.ends ? 'endsSoon' : 'renewalAhead';
    // A late one for the same charge is another email.
    const late = reminders > renewal.reminders ? '' : `-${now.toISOString()}`;
    await sendEmail(deps, tx, row, template, `${renewal.period.end.toISOString()}-${reminders}${late}`);
    return reminded;
  },

  async open(deps, tx, { row, renewal, now }) {
    const buyer = await tx
      .selectFrom('customer')
      .select([contactEmail.as('email'), contactLanguage.as('language')])
      .where('id', '=', row.customer_id)
      .executeTakeFirstOrThrow();
    const { end } = renewal.period;
    const { period } = nextPeriod({ anchor: row.anchor_at!, end, cycleCount: row.cycle_count }, now);
    const opened = await openRenewal(
      tx,
      now,
      {
        subscriptionId: row.id,
        customerId: row.customer_id,
        period,
        collectionMethod: renewal.collectionMethod,
        isGift: row.is_gift,
      },
      {
        currency: row.currency,
        lines: await periodLines(tx, await nextPlan(deps, tx, row, now), buyer.language, row.id),
        buyer: { email: buyer.email },
        seller: deps.seller,
        language: buyer.language,
      },
    );
    if (opened?.paid) await grantRenewal(deps, tx, row, opened.id);
    if (!opened || opened.paid) return undefined;
    // An automatic charge follows at once; its outcome refreshes the pages.
    if (renewal.collectionMethod === 'sendInvoice') {
      // Open pages show the amount due, and the email carries the document.
      const liveEvent = { event: 'detailFetch', id: row.id } as const;
      await deps.live.publish(tx, `customer:${row.customer_id}`, 'SUBSCRIPTION', liveEvent);
      await deps.jobs.enqueue(tx, 'generateDocuments', { invoiceId: opened.id });
    }
    return { invoice: opened, renewal: { ...renewal, openedAt: now, tries: 0 } };
  },

  async charge(deps, tx, { renewal, invoice, now }) {
    const tries = triesDue(renewal, now);
    await deps.jobs.enqueue(tx, 'chargeRenewal', { invoiceId: invoice!.id, tries: String(tries) });
    return { renewal: { ...renewal, tries } };
  },

  async ask(deps, tx, { row, renewal, invoice, now }) {
    const tries = triesDue(renewal, now);
    const asked = { renewal: { ...renewal, tries } };
    // The customer has paid. If that fails, the next step asks again, or ends it.
    if (await deps.isPaidOnItsWay(tx, invoice!.id)) return asked;
    // An invoice that a late worker opens only now asks by its own email, to which it is attached.
    if (renewal.openedAt! < now) await sendEmail(deps, tx, row, 'renewalDue', `${invoice!.id}-${tries}`);
    if (now < renewal.period.end) return asked;
    // From the end of the paid period on it is past due.
    const missed = await transitionSubscription(deps, tx, row, 'miss', { asked: true });
    return missed.ok ? { ...asked, row: missed.row } : asked;
  },
};

/**
 * Ends an unpaid subscription after its attempts were closed. It may have been paid in the meantime. Money that the customer
 * sent until the last day is waited for.
 */
async function expire(deps: RenewDeps, tx: Db, subscriptionId: string): Promise<void> {
  const row = await lockSubscription(tx, subscriptionId);
  const now = deps.clock.now();
  if (!row?.due_at || row.due_at > now) return;
  const { renewal, invoice, isGraceless } = await renewalOf(deps, tx, row);
  const { step, at } = dueStep(renewal, now);
  if (at > now || (step !== 'expire' && step !== 'end')) return;
  const due_at = step === 'expire' || isGraceless ? recheckAt(at, now) : undefined;
  if (due_at && invoice && (await deps.isPaidOnItsWay(tx, invoice.id))) {
    await setRenewal(tx, row, { due_at });
    return;
  }
  await expireNow(deps, tx, row);
}

/** Whether a reminder still says something that comes: not at the end, nor at once with the invoice to pay. */
const isReminderOf = ({ period, ends, collectionMethod, remindedAt }: Renewal, now: Date): boolean => {
  if (ends) return now < period.end;
  return collectionMethod === 'chargeAutomatically' || now < openAt(period, true, remindedAt);
};

/**
 * Voids an invoice whose days of payment passed while no worker ran, after its attempts were closed: the renewal begins again,
 * with its reminder. Money that the customer has sent is waited for.
 */
async function restart(deps: RenewDeps, tx: Db, subscriptionId: string): Promise<void> {
  const row = await lockSubscription(tx, subscriptionId);
  const now = deps.clock.now();
  if (!row?.due_at || row.due_at > now) return;
  const { renewal, invoice } = await renewalOf(deps, tx, row);
  if (!invoice || dueStep(renewal, now).step !== 'restart') return;
  if (await deps.isPaidOnItsWay(tx, invoice.id)) {
    await setRenewal(tx, row, { due_at: new Date(now.getTime() + WAIT_MS) });
    return;
  }
  await voidRenewal(tx, now, subscriptionId);
  await setRenewal(tx, row, { reminders: 0, reminded_at: null, tries: 0, due_at: now });
}

async function expireNow(deps: RenewDeps, tx: Db, row: SubscriptionRow): Promise<void> {
  await voidRenewal(tx, deps.clock.now(), row.id);
  await transitionSubscription(deps, tx, row, 'expire');
  await sendEmail(deps, tx, row, 'expired', row.period_end!.toISOString());
}

const sendEmail = (deps: RenewDeps, tx: Db, row: SubscriptionRow, template: EmailTemplate, copy: string) =>
  deps.jobs.enqueue(tx, 'sendEmail', { template, customerId: row.customer_id, subjectId: row.id, copy });
