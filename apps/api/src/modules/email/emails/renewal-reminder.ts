import { paidByCredit } from '@fixpoint/contract/minimum-charge.ts';
import { chargeAt, openAt } from '@fixpoint/domain/subscription/renewal.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import { availableCredit, carriedRestsOf } from '../../billing/index.ts';
import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { isChargedAutomatically, renewingSubscription } from '../subscription-facts.ts';
import { subscriptionName } from '../subscription-name.ts';

/**
 * Sent some days before a period ends: what the next one costs, and whether credit or a saved payment method pays it. Not
 * sent once the subscription does not renew, or the period in `copy` is over: the next one has a reminder of its own.
 */
export const renewalReminder = defineEmail({
  name: 'renewalAhead',
  together: { kind: 'renewalAhead', pace: 'day' },
  async load(context) {
    const facts = await renewingSubscription(context);
    if (!facts) return undefined;
    const { row } = facts;
    if (context.copy && !context.copy.startsWith(row.period_end.toISOString())) return undefined;
    const isAutomatic = await isChargedAutomatically(context, facts);
    const { chargedAt, isPast } = facts;
    const isLate = isAutomatic && chargedAt > chargeAt({ start: row.period_start!, end: row.period_end });
    // A year is long enough to forget it, and a charge on another day than announced needs its notice.
    if (context.off.has('renewalAhead') && isAutomatic && row.cycle_count < 12 && !isLate) return undefined;
    if (isPast(isAutomatic ? chargedAt : row.period_end)) return undefined;
    const credit = row.is_gift ? 0 : await availableCredit(context.db, row.customer_id, row.currency);
    const owes = !row.is_gift && credit === 0;
    const carried = owes ? await carriedRestsOf(context.db, row.customer_id, row.currency) : 0;
    const price = row.coming_renewal + carried;
    return {
      ...facts,
      price,
      carried,
      isAutomatic,
      isLate,
      fromCredit: paidByCredit(row.currency, price, credit),
    };
  },
  about: ({ values }) => values,
  content(context, { row, day, chargedAt, price, carried, isAutomatic, isLate, fromCredit, ...facts }) {
    const { t, language } = context;
    const money = (minor: number) => formatMoney(minor, row.currency, language);
    const period = { start: row.period_start!, end: row.period_end };
    const nextPeriodValues = {
      ...facts.nextPeriodValues,
      amount: money(price),
      ...(isLate && { date: day(chargedAt) }),
    };
    const values = { ...nextPeriodValues, amount: money(price - fromCredit) };
    const isPaidByCredit = fromCredit === price;
    const needsNobody = isAutomatic || isPaidByCredit;
    const invoicedAt = openAt(period, !isAutomatic, row.reminded_at);
    const charged = isLate ? 'renewalAhead.late' : 'renewalAhead.byUs';
    const body = isAutomatic ? t(charged, values) : t('renewalAhead.manual', nextPeriodValues);
    const partly = { price: money(price), credit: money(fromCredit) };
    return {
      subject: t(needsNobody ? 'renewalAhead.subject' : 'renewalAhead.subjectManual', nextPeriodValues),
      preview: t('renewalAhead.preview', values),
      paragraphs: isPaidByCredit
        ? [t('renewalAhead.byCredit', nextPeriodValues)]
        : [
            body,
            ...(carried > 0 ? [t('renewalAhead.carried', { amount: money(carried) })] : []),
            ...(fromCredit > 0 ? [t('renewalAhead.credit', partly)] : []),
          ],
      action: toSubscription(context),
      notes: [t('renewalAhead.note', { date: needsNobody ? day(invoicedAt) : nextPeriodValues.date })],
    };
  },
  // Credit is used once, whichever comes first, so the table names full prices.
  line({ t, language, pageUrl }, { row, day, chargedAt, carried, isAutomatic, nextPeriodValues }) {
    const { currency, coming_renewal: price } = row;
    const amount = formatMoney(price, currency, language);
    const value = isAutomatic
      ? t('renewalAhead.rowCharged', { amount, date: day(chargedAt) })
      : t('renewalAhead.rowManual', { amount, date: nextPeriodValues.date });
    return {
      row: { label: subscriptionName(nextPeriodValues), value, url: pageUrl },
      money: { currency, amount: price },
      ...(carried > 0 && { carried: { currency, amount: carried } }),
    };
  },
});
