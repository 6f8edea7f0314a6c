import type { CustomerPage } from '@fixpoint/contract/staff/customers.ts';
import type { Db } from '../../ports/database.ts';

type Entry = CustomerPage['timeline'][number];

/** Most entries of a timeline. */
const MOST = 200;

const money = ({ amount, currency }: { amount: number; currency: string }): string =>
  `${currency} ${(amount / 100).toFixed(2)}`;

/** What happened to a customer, newest first: from the rows of their page, the history of subscriptions, and staff. */
export async function timelineOf(
  db: Db,
  customerId: string,
  page: Omit<CustomerPage, 'alerts' | 'timeline' | 'emails'>,
): Promise<Entry[]> {
  const entries: Entry[] = [
    { at: page.account.createdAt, what: 'account created' },
    ...page.invoices.flatMap(({ createdAt, paidAt, number, reference, purpose, ...invoice }) => [
      { at: createdAt, what: `invoice ${reference} (${purpose}) over ${money(invoice)}` },
      ...(paidAt ? [{ at: paidAt, what: `invoice ${number ?? reference} paid` }] : []),
    ]),
    ...page.payments.map(({ createdAt, id, method, status, failure, ...payment }) => ({
      at: createdAt,
      what: `payment ${id} by ${method} over ${money(payment)}: ${status}${failure ? ` (${failure})` : ''}`,
    })),
    ...page.refunds.map(({ createdAt, id, status, ...refund }) => ({
      at: createdAt,
      what: `refund ${id} over ${money(refund)}: ${status}`,
    })),
    ...page.creditNotes.map(({ issuedAt, number, ...note }) => ({
      at: issuedAt,
      what: `credit note ${number} over ${money(note)}`,
    })),
    ...page.disputes.map(({ createdAt, ref, status, ...dispute }) => ({
      at: createdAt,
      what: `dispute ${ref} over ${money(dispute)}: ${status}`,
    })),
    ...page.subscriptions.flatMap(({ id, devices }) =>
      devices.map(({ createdAt, name }) => ({ at: createdAt, what: `device ${name} added to ${id}` })),
    ),
    ...(await historyOf(db, page)),
    ...(await staffOf(db, customerId)),
  ];
  return entries.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST);
}

async function historyOf(db: Db, { subscriptions }: Pick<CustomerPage, 'subscriptions'>): Promise<Entry[]> {
  if (subscriptions.length === 0) return [];
  const rows = await db
    .selectFrom('subscription_history')
    .select(['at', 'subscription_id', 'command', 'from_status', 'to_status'])
    .where(
      'subscription_id',
      'in',
      subscriptions.map(({ id }) => id),
    )
    .orderBy('at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map(({ at, subscription_id, command, from_status, to_status }) => ({
    at: at.toISOString(),
    what: `${subscription_id}: ${command}${from_status === to_status ? '' : ` (${from_status} → ${to_status})`}`,
  }));
}

async function staffOf(db: Db, customerId: string): Promise<Entry[]> {
  const rows = await db
    .selectFrom('audit_detail')
    .innerJoin('audit_entry', 'audit_entry.seq', 'audit_detail.seq')
    .select(['audit_entry.at', 'actor', 'audit_entry.operation'])
    .where('customer_id', '=', customerId)
    .orderBy('audit_entry.seq', 'desc')
    .limit(MOST)
    .execute();
  return rows.map(({ at, actor, operation }) => ({ at: at.toISOString(), what: `${operation} by ${actor}` }));
}
