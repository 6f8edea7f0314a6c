import { isLanguage } from '@fixpoint/contract/languages.ts';
import { can } from '@fixpoint/domain/subscription/subscription.ts';
import {
  canStepBack,
  type Returns,
  refundable,
  splitRefund,
} from '@fixpoint/domain/subscription/withdrawal.ts';
import { isRefusal, type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { giveCredit, type LockedInvoice, lockInvoice, moneyLeft, uncredited } from '../billing/index.ts';
import { refundMoney } from '../payment/index.ts';
import {
  contractInvoices,
  hasWithdrawn,
  lockWithReplaced,
  moveSubscription,
  stateOf,
} from '../subscription/index.ts';
import { emailTexts } from '../text/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { refunded } from './refunded.ts';

/**
 * A customer withdraws from the contract of a subscription, by the law of the country in which he says he lives; by none
 * where he waits for it still.
 */
type Wish = { id: string; country?: string | undefined };
/** What comes back: the way it came, and as credit what credit paid. */
type Back = { currency: string; money: number; credit: number };
type Subscription = NonNullable<Awaited<ReturnType<typeof lockWithReplaced>>>;
type Deps = Pick<CheckoutDeps, 'db' | 'clock' | 'jobs' | 'live' | 'account' | 'withdrawal'>;

/** Looks what would come back, and changes nothing. */
export async function backOf(deps: Deps, customerId: string, { id, country }: Wish): Promise<Back | Refusal> {
  const { db, clock, withdrawal } = deps;
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!row) return refuse('subscriptionNotFound');
  const done = await doneBefore(db, row);
  if (done) return done;
  const found = await reckon(db, clock.now(), row, lawOf(withdrawal, country));
  return isRefusal(found) ? found : found.back;
}

/**
 * Ends the subscription at once and gives back what was shown: credit notes, refunds and credit, in one transaction. Once
 * more is the same answer, and nothing else.
 * @param shown what its customer has seen and agreed to; something else is refused
 */
export function withdraw(
  deps: Deps,
  customerId: string,
  { id, country, back: shown }: Wish & { back: Back },
): Promise<Back | Refusal> {
  const { db, clock, jobs, account, withdrawal } = deps;
  return db.transaction().execute(async tx => {
    // The account before its subscription, as everywhere.
    await account.holdActive(tx, customerId);
    const row = await lockWithReplaced(tx, id);
    if (row?.customer_id !== customerId) return refuse('subscriptionNotFound');
    const done = await doneBefore(tx, row);
    if (done) return done;
    // Nobody else can move their money from here on.
    const locked = new Map<string, LockedInvoice>();
    for (const invoice of await contractInvoices(tx, id))
      locked.set(invoice.id, await lockInvoice(tx, invoice.id));
    const now = clock.now();
    const found = await reckon(tx, now, row, lawOf(withdrawal, country));
    if (isRefusal(found)) return found;
    const { back, parts, invoices } = found;
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
    const moved = await moveSubscription(deps, tx, row, 'withdraw', back);
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

/** What came back of one that was withdrawn from and has not been taken up again. */
async function doneBefore(db: Db, row: Subscription): Promise<Back | undefined> {
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

async function reckon(db: Db, now: Date, row: Subscription, by: Returns | undefined) {
  const { id, currency } = row;
  if (!can(stateOf(row), 'withdraw', now).ok) return refuse('subscriptionNotExpired');
  const invoices = await leftOf(db, id);
  const amount = await amountRefunded(db, now, row, by, invoices);
  if (amount === undefined) return refuse('subscriptionNotExpired');
  const { parts, credit } = splitRefund(amount, invoices);
  return { back: { currency, money: amount - credit, credit }, parts, invoices };
}

/** The invoices of the contract, with what of each has not gone back, and what of that is money. */
async function leftOf(db: Db, subscriptionId: string) {
  const invoices = [];
  for (const invoice of await contractInvoices(db, subscriptionId)) {
    const left = (await uncredited(db, [invoice.id])).total;
    invoices.push({ ...invoice, left, money: await moneyLeft(db, invoice) });
  }
  return invoices;
}

/** What comes back of a contract, gross; undefined where nobody can withdraw from it any more. */
async function amountRefunded(
  db: Db,
  now: Date,
  { status, currency, customer_id: customerId }: Subscription,
  by: Returns | undefined,
  invoices: Awaited<ReturnType<typeof leftOf>>,
): Promise<number | undefined> {
  const concludedAt = invoices.at(-1)?.paid_at;
  if (!concludedAt) return undefined;
  const left = sum(invoices, each => each.left);
  if (canStepBack({ status, concludedAt, prorated: sum(invoices, each => each.prorated) }, now)) return left;
  if (!by) return undefined;
  const given = invoices.flatMap(({ starts_at, ends_at, worth }) =>
    starts_at && ends_at && ends_at > now
      ? [{ period: { start: starts_at, end: ends_at }, worth: worth! }]
      : [],
  );
  const unbegun = invoices.filter(({ starts_at, purpose }) => !starts_at && purpose !== 'upgrade');
  // In full once: who takes it up again and withdraws again, on and on, would never pay.
  const returns = by === 'full' && (await hasWithdrawn(db, customerId)) ? 'days' : by;
  return refundable(currency, now, returns, {
    concludedAt,
    left,
    periods: given,
    unbegun: sum(unbegun, ({ total }) => total),
    refunded: await refunded(db, invoices),
  });
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

async function reasonOf(tx: Db, language: string): Promise<string> {
  const texts = await emailTexts(tx, isLanguage(language) ? language : 'en');
  return texts['document.withdrawn']!;
}
