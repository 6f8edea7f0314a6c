import type { CustomerPage } from '@fixpoint/contract/staff/customers.ts';
import { minute } from '../../kernel/minute.ts';
import { moneyText } from '../../kernel/money-text.ts';
import { type TextsOf, table } from './text.ts';

const at = (instant: string | null): string => (instant ? minute(new Date(instant)) : '–');
const money = ({ amount, currency }: { amount: number; currency: string }) => moneyText(amount, currency);

/** Emails, and entries of the timeline, that are printed; --json has all. */
const SHOWN = 40;

const part = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [[title, ...lines].join('\n  ')] : [];

function accountText({ account, credit, savedMethods }: CustomerPage): string {
  const { id, email, status, language, createdAt, sessions, passkeys } = account;
  const ways = [
    account.hasPassword ? 'password' : 'no password',
    ...(account.hasAuthenticator ? ['authenticator app'] : []),
    ...(passkeys > 0 ? [`passkeys: ${passkeys}`] : []),
  ];
  return [
    `${email}  ${id}  ${status}`,
    `since ${at(createdAt)}, language ${language}, ${ways.join(', ')}, open log-ins: ${sessions.length}`,
    ...credit.map(one => `credit ${money(one)}`),
    ...savedMethods.map(
      ({ method, brand, last4, isDefault }) =>
        `saved ${[method, brand, last4 && `…${last4}`].filter(Boolean).join(' ')}${isDefault ? ', default' : ''}`,
    ),
  ].join('\n  ');
}

function subscriptionText(subscription: CustomerPage['subscriptions'][number]): string {
  const { id, status, suspended, cancelled, plan, place, months, address, host, hostState } = subscription;
  const state = [status, ...(suspended ? ['suspended'] : []), ...(cancelled ? ['cancelled'] : [])].join(', ');
  return [
    `${id}  ${state}  ${plan}, ${place}`,
    `  ${money(subscription)} for months: ${months}, period ${at(subscription.periodStart)} to ${at(subscription.periodEnd)}`,
    `  address ${address ?? '–'}, host ${host ? `${host} (${hostState})` : '–'}`,
    ...subscription.devices.map(({ id: key, name }) => `  device ${name}  ${key}`),
  ].join('\n  ');
}

const pageText = (page: CustomerPage): string =>
  [
    accountText(page),
    ...part(
      'Alerts',
      page.alerts.map(({ kind, subject, since }) => `${kind}  ${subject}  since ${at(since)}`),
    ),
    ...part('Subscriptions', page.subscriptions.map(subscriptionText)),
    ...part(
      'Invoices',
      page.invoices.map(
        invoice =>
          `${invoice.number ?? invoice.reference}  ${invoice.status}  ${invoice.purpose}  ${money(invoice)}  paid ${at(invoice.paidAt)}`,
      ),
    ),
    ...part(
      'Payments',
      page.payments.map(
        payment =>
          `${payment.id}  ${payment.method}  ${payment.status}  ${money(payment)}  ${payment.failure ?? ''}  ${payment.providerRef ?? ''}`,
      ),
    ),
    ...part(
      'Refunds',
      page.refunds.map(refund => `${refund.id}  ${refund.status}  ${money(refund)}  ${at(refund.createdAt)}`),
    ),
    ...part(
      'Disputes',
      page.disputes.map(dispute => `${dispute.ref}  ${dispute.status}  ${money(dispute)}  ${dispute.reason}`),
    ),
    ...part(
      'Emails',
      page.emails
        .slice(0, SHOWN)
        .map(({ email, about, state, at: when }) =>
          `${at(when)}  ${email}  ${state}  ${about ?? ''}`.trimEnd(),
        ),
    ),
    ...part(
      'Timeline',
      page.timeline.slice(0, SHOWN).map(entry => `${at(entry.at)}  ${entry.what}`),
    ),
  ].join('\n\n');

export const texts: TextsOf<'customer'> = {
  show: ({ matches, customer }) =>
    customer
      ? pageText(customer)
      : table(matches.map(({ id, email, status, by }) => [email, id, status, `by ${by}`])),
};
