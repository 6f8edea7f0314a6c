import type { CustomerPage } from '@fixpoint/contract/staff/customers.ts';
import { sql } from 'kysely';
import { contactEmail } from '../../database/contact.ts';
import type { Db } from '../../ports/database.ts';
import { timelineOf } from './timeline.ts';

/** Most rows of a kind on the page, newest first. */
const MOST = 50;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Everything about one customer. No connection data exists, and none is shown. @throws Error for an unknown one */
export async function customerPage(db: Db, customerId: string): Promise<CustomerPage> {
  const page = {
    account: await accountOf(db, customerId),
    subscriptions: await subscriptionsOf(db, customerId),
    ...(await salesOf(db, customerId)),
    ...(await moneyBackOf(db, customerId)),
    ...(await meansOf(db, customerId)),
    emails: await emailsOf(db, customerId),
  };
  const subjects = [
    customerId,
    ...page.subscriptions.map(({ id }) => id),
    ...page.invoices.map(({ id }) => id),
    ...page.payments.flatMap(({ id, providerRef }) => (providerRef ? [id, providerRef] : [id])),
    ...page.refunds.map(({ id }) => id),
    ...page.disputes.map(({ ref }) => ref),
  ];
  const alerts = await db
    .selectFrom('open_alert')
    .select(['kind', 'subject', 'since'])
    .where('subject', '=', sql<string>`any(${subjects})`)
    .orderBy('since')
    .execute();
  return {
    ...page,
    alerts: alerts.map(({ since, ...alert }) => ({ ...alert, since: since.toISOString() })),
    timeline: await timelineOf(db, customerId, page),
  };
}

async function accountOf(db: Db, customerId: string): Promise<CustomerPage['account']> {
  const { created_at, password_hash, totp, passkeys, ...account } = await db
    .selectFrom('customer')
    .select(['id', 'status', 'language', 'created_at', 'password_hash', contactEmail.as('email')])
    .select(({ selectFrom, fn }) => [
      selectFrom('totp')
        .select('confirmed_at')
        .whereRef('totp.customer_id', '=', 'customer.id')
        .where('confirmed_at', 'is not', null)
        .as('totp'),
      selectFrom('passkey')
        .select(fn.countAll<number>().as('count'))
        .whereRef('passkey.customer_id', '=', 'customer.id')
        .as('passkeys'),
    ])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  const sessions = await db
    .selectFrom('session')
    .select(['browser', 'system', 'created_at'])
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  return {
    ...account,
    createdAt: created_at.toISOString(),
    hasPassword: password_hash !== null,
    hasAuthenticator: totp !== null,
    passkeys: Number(passkeys ?? 0),
    sessions: sessions.map(({ created_at: at, ...session }) => ({ ...session, createdAt: at.toISOString() })),
  };
}

async function subscriptionsOf(db: Db, customerId: string): Promise<CustomerPage['subscriptions']> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('product', 'product.id', 'subscription.product_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'subscription.id')
    .leftJoin('assignment', join =>
      join
        .onRef('assignment.subscription_id', '=', 'subscription.id')
        .on('assignment.status', '<>', 'leaving'),
    )
    .select(['subscription.id', 'subscription.status', 'suspended', 'currency', 'renewal as amount'])
    .select(['subscription.cycle_count as months', 'period_start', 'period_end'])
    .select(['cancel_at_period_end as cancelled', 'product.plan_id as plan'])
    .select(['assignment.host_id as host', 'assignment.status as hostState'])
    .select(sql<string>`provider_id || ', ' || region_id || ', ' || vendor_id`.as('place'))
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .where('subscription.customer_id', '=', customerId)
    .orderBy('subscription.created_at', 'desc')
    .limit(MOST)
    .execute();
  const keys = await db
    .selectFrom('vpn_key')
    .select(['id', 'name', 'created_at', 'subscription_id'])
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
  return rows.map(({ period_start, period_end, ...row }) => ({
    ...row,
    periodStart: iso(period_start),
    periodEnd: iso(period_end),
    devices: keys
      .filter(({ subscription_id }) => subscription_id === row.id)
      .map(({ id, name, created_at }) => ({ id, name, createdAt: created_at.toISOString() })),
  }));
}

async function salesOf(db: Db, customerId: string): Promise<Pick<CustomerPage, 'invoices' | 'payments'>> {
  const invoices = await db
    .selectFrom('invoice')
    .select(['id', 'number', 'reference', 'purpose', 'status', 'currency', 'total as amount'])
    .select(['created_at', 'paid_at'])
    .where('customer_id', '=', customerId)
    .orderBy('issued_at', 'desc')
    .orderBy('serial', 'desc')
    .limit(MOST)
    .execute();
  const payments = await db
    .selectFrom('attempt')
    .select(['id', 'method', 'status', 'currency', 'amount', 'received', 'failure'])
    .select(['provider_ref as providerRef', 'invoice_id as invoice', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  return {
    invoices: invoices.map(({ created_at, paid_at, ...row }) => ({
      ...row,
      createdAt: created_at.toISOString(),
      paidAt: iso(paid_at),
    })),
    payments: payments.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() })),
  };
}

async function moneyBackOf(
  db: Db,
  customerId: string,
): Promise<Pick<CustomerPage, 'refunds' | 'creditNotes' | 'disputes'>> {
  const refunds = await db
    .selectFrom('refund')
    .innerJoin('attempt', 'attempt.id', 'refund.attempt_id')
    .select(['refund.id', 'refund.status', 'refund.currency', 'refund.amount', 'refund.reason'])
    .select('refund.created_at')
    .where('attempt.customer_id', '=', customerId)
    .orderBy('refund.created_at', 'desc')
    .limit(MOST)
    .execute();
  const creditNotes = await db
    .selectFrom('credit_note')
    .innerJoin('invoice', 'invoice.id', 'credit_note.invoice_id')
    .select(['credit_note.number', 'credit_note.currency', 'credit_note.total as amount'])
    .select(['credit_note.reason', 'credit_note.issued_at'])
    .where('invoice.customer_id', '=', customerId)
    .orderBy('credit_note.issued_at', 'desc')
    .limit(MOST)
    .execute();
  const disputes = await db
    .selectFrom('dispute')
    .innerJoin('attempt', 'attempt.id', 'dispute.attempt_id')
    .select(['dispute.provider_ref as ref', 'dispute.status', 'dispute.currency', 'dispute.amount'])
    .select(['dispute.reason', 'dispute.created_at'])
    .where('attempt.customer_id', '=', customerId)
    .orderBy('dispute.created_at', 'desc')
    .limit(MOST)
    .execute();
  return {
    refunds: refunds.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() })),
    creditNotes: creditNotes.map(({ issued_at, ...row }) => ({ ...row, issuedAt: issued_at.toISOString() })),
    disputes: disputes.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() })),
  };
}

async function meansOf(db: Db, customerId: string): Promise<Pick<CustomerPage, 'credit' | 'savedMethods'>> {
  const credit = await db
    .selectFrom('account_credit')
    .select(['currency', 'amount'])
    .where('customer_id', '=', customerId)
    .where('amount', '<>', 0)
    .execute();
  const savedMethods = await db
    .selectFrom('saved_method')
    .select(['method', 'brand', 'last4', 'is_default as isDefault'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
  return { credit, savedMethods };
}

async function emailsOf(db: Db, customerId: string): Promise<CustomerPage['emails']> {
  const sent = await db
    .selectFrom('sent_email')
    .select(['template', 'subject_id', 'sent_at', 'message_id'])
    .where('customer_id', '=', customerId)
    .orderBy('sent_at', 'desc')
    .limit(MOST)
    .execute();
  const waiting = await db
    .selectFrom('collected_email')
    .select(['template', 'subject_id', 'created_at'])
    .where('customer_id', '=', customerId)
    .where('sent_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute();
  return [
    ...waiting.map(({ template, subject_id, created_at }) => ({
      email: template,
      about: subject_id || null,
      state: 'waiting' as const,
      at: created_at.toISOString(),
      messageId: null,
    })),
    ...sent.map(({ template, subject_id, sent_at, message_id }) => ({
      email: template,
      about: subject_id || null,
      state: 'sent' as const,
      at: sent_at.toISOString(),
      messageId: message_id,
    })),
  ];
}
