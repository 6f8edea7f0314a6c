import { languageOrDefault } from '@fixpoint/contract/languages.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import {
  canStepBack,
  type Returns,
  refundable,
  returnsAfter,
  splitRefund,
} from '@fixpoint/domain/subscription/withdrawal.ts';
import { isRefusal, type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { giveCredit, type LockedInvoice, lockInvoice, moneyLeft, uncredited } from '../billing/index.ts';
import { refundMoney } from '../payment/index.ts';
import {
  contractInvoices,
  lockWithReplaced,
  refuseAction,
  stateOf,
  transitionSubscription,
  withdrawalsOf,
} from '../subscription/index.ts';
import { emailTexts } from '../text/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { refunded } from './refunded.ts';

/**
 * A withdrawal from the contract of a subscription. `country`: where the customer lives, whose law applies; undefined while
 * they still wait for the subscription.
 */
type Withdrawal = { id: string; country?: string | undefined };
/** Amounts refunded: money by the payment method, and as credit what credit paid. */
type Back = { currency: string; money: number; credit: number };
type Subscription = NonNullable<Awaited<ReturnType<typeof lockWithReplaced>>>;
type Deps = Pick<CheckoutDeps, 'db' | 'clock' | 'jobs' | 'live' | 'account' | 'withdrawal'>;

/** Calculates what a withdrawal refunds. Changes nothing. */
export async function previewWithdrawal(
  deps: Deps,
  customerId: string,
  { id, country }: Withdrawal,
): Promise<Back | Refusal> {
  const { db, clock, withdrawal } = deps;
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!row) return refuse('subscriptionNotFound');
  const done = await earlierWithdrawal(db, row);
  if (done) return done;
  const found = await calculateRefund(db, clock.now(), row, lawOf(withdrawal, country));
  return isRefusal(found) ? found : found.back;
}

/**
 * Ends the subscription at once and refunds it: credit notes, refunds and credit, in one transaction. A repeated call gets
 * the same answer and changes nothing.
 * @param back the amounts that the customer has agreed to; a difference is refused
 */
export function withdraw(
  deps: Deps,
  customerId: string,
  { id, country, back: shown }: Withdrawal & { back: Back },
): Promise<Back | Refusal> {
  const { db, clock, jobs, account, withdrawal } = deps;
  return db.transaction().execute(async tx => {
    // Lock order: the account before its subscription. Exclusive, because earlier withdrawals from any of its
    // subscriptions decide about the refund.
    await account.holdActive(tx, customerId, true);
    const row = await lockWithReplaced(tx, id);
    if (row?.customer_id !== customerId) return refuse('subscriptionNotFound');
    const done = await earlierWithdrawal(tx, row);
    if (done) return done;
    // From here on nobody else can change these invoices.
    const locked = new Map<string, LockedInvoice>();
    for (const invoice of await contractInvoices(tx, id))
      locked.set(invoice.id, await lockInvoice(tx, invoice.id));
    const now = clock.now();
    const found = await calculateRefund(tx, now, row, lawOf(withdrawal, country));
    if (isRefusal(found)) return found;
    const { back, parts, invoices, byRight } = found;
    if (back.currency !== shown.currency || back.money !== shown.money || back.credit !== shown.credit)
      return refuseFields({ back: 'form.price.changed' });
    const reason = await reasonOf(tx, invoices[0]!.language);
    for (const { invoice, money } of parts) {
      const of = { ...locked.get(invoice.id)!, customerId };
      await refundMoney(deps, tx, now, of, { amount: money, reason, by: 'customer' });
    }
    const ids = invoices.map(invoice => invoice.id);
    await giveCredit(tx, now, { customerId, invoices: ids, amount: back.credit, reason });
    for (const invoiceId of ids) await jobs.enqueue(tx, 'generateDocuments', { invoiceId });
    const moved = await transitionSubscription(deps, tx, row, 'withdraw', { ...back, byRight });
    if (!moved.ok) throw new Error(`Subscription ${id} is ${row.status}, not to be withdrawn from`);
    await jobs.enqueue(tx, 'sendEmail', {
      template: 'withdrawn',
      customerId,
      subjectId: id,
      copy: String(moved.row.version),
    });
    return back;
  });
}

/** Amounts that an earlier withdrawal refunded; undefined where there was none, or the subscription was reactivated since. */
async function earlierWithdrawal(db: Db, row: Subscription): Promise<Back | undefined> {
  if (row.status !== 'expired') return undefined;
  const last = await db
    .selectFrom('subscription_history')
    .select('detail')
    .where('subscription_id', '=', row.id)
    .where('version', '=', row.version)
    .where('command', '=', 'withdraw')
    .executeTakeFirst();
  if (!last) return undefined;
  const { currency, money, credit } = last.detail as Back;
  return { currency, money, credit };
}

const lawOf = (laws: Deps['withdrawal'], country: string | undefined): Returns | undefined =>
  country === undefined ? undefined : laws[country];

async function calculateRefund(db: Db, now: Date, row: Subscription, by: Returns | undefined) {
  const { id, currency } = row;
  const allowed = can(stateOf(row), 'withdraw', now);
  if (!allowed.ok) return refuseAction(allowed.refusal);
  const invoices = await refundableInvoices(db, id);
  const refund = await amountRefunded(db, now, row, by, invoices);
  if (refund.amount === undefined) return refuseAction('notNow');
  const { amount, byRight } = refund;
  const { parts, credit } = splitRefund(amount, invoices);
  return { back: { currency, money: amount - credit, credit }, parts, invoices, byRight };
}

/** The invoices of the contract. `left`: not yet credited; `money`: the part of it that can be refunded as money. */
async function refundableInvoices(db: Db, subscriptionId: string) {
  const invoices = [];
  for (const invoice of await contractInvoices(db, subscriptionId)) {
    const left = (await uncredited(db, [invoice.id])).total;
    invoices.push({ ...invoice, left, money: await moneyLeft(db, invoice) });
  }
  return invoices;
}

/**
 * Amount that a withdrawal refunds, gross in hundredths; undefined where the right to withdraw is over. `byRight`: false for
 * stepping back, which is no withdrawal.
 */
async function amountRefunded(
  db: Db,
  now: Date,
  { status, currency, customer_id: customerId }: Subscription,
  by: Returns | undefined,
  invoices: Awaited<ReturnType<typeof refundableInvoices>>,
): Promise<{ amount: number | undefined; byRight: boolean }> {
  const concludedAt = invoices.at(-1)?.paid_at;
  if (!concludedAt) return { amount: undefined, byRight: true };
  const left = sum(invoices, each => each.left);
  const prorated = sum(invoices, each => each.prorated);
  if (canStepBack({ status, concludedAt, prorated }, now)) return { amount: left, byRight: false };
  const returns = by && returnsAfter(by, concludedAt, await withdrawalsOf(db, customerId));
  if (!returns) return { amount: undefined, byRight: true };
  const given = invoices.flatMap(({ starts_at, ends_at, paid_until, worth }) =>
    starts_at && ends_at && ends_at > now
      ? [{ period: { start: starts_at, end: paid_until! }, worth: worth! }]
      : [],
  );
  const unbegun = invoices.filter(({ starts_at, purpose }) => !starts_at && purpose !== 'upgrade');
  const amount = refundable(currency, now, returns, {
    concludedAt,
    left,
    periods: given,
    unbegun: sum(unbegun, ({ total }) => total),
    refunded: await refunded(db, invoices),
  });
  return { amount, byRight: true };
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

async function reasonOf(tx: Db, language: string): Promise<string> {
  const texts = await emailTexts(tx, languageOrDefault(language));
  return texts['document.withdrawn']!;
}
