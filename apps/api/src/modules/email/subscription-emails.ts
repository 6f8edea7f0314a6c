import { paidByCredit } from '@fixpoint/contract/least.ts';
import { MOST_TRIES, nextTryAt, openAt } from '@fixpoint/domain/subscription/renewal.ts';
import { formatMoney } from '@fixpoint/texts/format.ts';
import type { Db } from '../../ports/database.ts';
import { availableCredit } from '../billing/index.ts';
import { attached } from './attached-document.ts';
import type { EmailContent } from './email-content.ts';
import { type SubscriptionWriter, subscriptionFacts } from './subscription-facts.ts';

type Email = (w: SubscriptionWriter) => Promise<EmailContent | undefined>;

/**
 * The emails of a subscription's life. Each says how things stand when it is written: one that came too late for what it
 * would say is not written.
 */
export function subscriptionEmails(
  db: Db,
  renewsByItself: (db: Db, of: { customerId: string; subscriptionId: string }) => Promise<boolean>,
): Record<
  | 'renewalAhead'
  | 'renewalFailed'
  | 'renewalDue'
  | 'cancelled'
  | 'resumed'
  | 'endsSoon'
  | 'downgradePlanned'
  | 'downgradeUndone'
  | 'withdrawn'
  | 'expired'
  | 'addressHeld'
  | 'reactivated',
  Email
> {
  /** What comes next, and where we charge it, when: which is before the paid time is over. */
  const nextPayment = async (
    { row, said, charged }: NonNullable<Awaited<ReturnType<typeof subscriptionFacts>>>,
    w: SubscriptionWriter,
  ): Promise<string> => {
    const byUs = await renewsByItself(db, { customerId: row.customer_id, subscriptionId: row.id });
    const ahead = byUs && row.invoice_id === null;
    return ahead ? w.t('resumed.preview', { ...said, date: charged }) : w.t('renewalAhead.preview', said);
  };
  const toPage = ({ t, pageUrl }: SubscriptionWriter) => ({ label: t('ready.action'), url: pageUrl });
  const toPay = ({ t, pageUrl }: SubscriptionWriter) => ({
    label: t('renewalDue.action'),
    url: `${pageUrl}/pay`,
  });
  return {
    async renewalAhead(w) {
      const found = await subscriptionFacts(db, w);
      if (found?.row.status !== 'active' || found.row.cancel_at_period_end || found.row.suspended)
        return undefined;
      const { row, coming: said } = found;
      // Of a period that was renewed meanwhile: the next one has a reminder of its own.
      if (w.copy && !w.copy.startsWith(row.period_end.toISOString())) return undefined;
      const byUs = await renewsByItself(db, { customerId: row.customer_id, subscriptionId: row.id });
      const money = (minor: number) => formatMoney(minor, row.currency, w.language);
      const price = row.coming_renewal;
      const has = row.is_gift ? 0 : await availableCredit(db, row.customer_id, row.currency);
      const byCredit = paidByCredit(row.currency, price, has);
      const asked = { ...said, amount: money(price - byCredit) };
      const of = { price: money(price), credit: money(byCredit) };
      const byItself = byUs || byCredit === price;
      const opened = openAt({ start: row.period_start!, end: row.period_end }, !byUs);
      return {
        subject: w.t(byItself ? 'renewalAhead.subject' : 'renewalAhead.subjectManual', said),
        preview: w.t('renewalAhead.preview', asked),
        paragraphs:
          byCredit === price
            ? [w.t('renewalAhead.byCredit', said)]
            : [
                byUs ? w.t('renewalAhead.byUs', asked) : w.t('renewalAhead.manual', said),
                ...(byCredit > 0 ? [w.t('renewalAhead.credit', of)] : []),
              ],
        action: toPage(w),
        notes: [w.t('renewalAhead.note', { date: byItself ? found.day(opened) : said.date })],
      };
    },

    async renewalFailed(w) {
      const found = await subscriptionFacts(db, w);
      if (!found?.row.issued_at) return undefined;
      const { row, coming: said, day, last } = found;
      const period = { start: row.period_start!, end: row.period_end };
      const at = nextTryAt(row.issued_at!, period, row.tries);
      // That it ends is another email.
      if (!at || row.cancel_at_period_end || row.suspended) return undefined;
      const refused = await lastCharge(db, row.invoice_id!);
      const next = row.tries < MOST_TRIES - 1 ? 'renewalFailed.again' : 'renewalFailed.last';
      return {
        subject: w.t('renewalFailed.subject', said),
        preview: w.t('renewalFailed.preview'),
        paragraphs: [
          w.t(refused?.asks_owner ? 'renewalFailed.asked' : 'renewalFailed.body', {
            ...said,
            reference: row.reference!,
          }),
          // What would be refused again we do not try again.
          refused?.hard
            ? w.t(refused.asks_owner ? 'renewalFailed.confirm' : 'renewalFailed.another', { date: last! })
            : w.t(next, { date: day(at) }),
        ],
        action: toPay(w),
      };
    },

    async renewalDue(w) {
      const found = await subscriptionFacts(db, w);
      if (!found?.last) return undefined;
      const { row, coming: said, last } = found;
      const body = { ...said, reference: row.reference!, end: said.date, date: last };
      return {
        subject: w.t('renewalDue.subject', said),
        preview: w.t('renewalDue.preview', body),
        paragraphs: [w.t('renewalDue.body', body)],
        action: toPay(w),
        notes: [w.t('renewalDue.note')],
        ...(await attached(db, { kind: 'invoice', ofId: row.invoice_id! }, row.reference!)),
      };
    },

    async cancelled(w) {
      const found = await subscriptionFacts(db, w);
      if (!found?.row.cancel_at_period_end) return undefined;
      const { said } = found;
      // Who turns off what he owes uses nothing up.
      const overdue = (await turnedOffAt(db, w.subjectId)) >= found.row.period_end;
      return {
        subject: w.t('cancelled.subject', said),
        preview: w.t(overdue ? 'cancelled.previewNow' : 'cancelled.preview', said),
        paragraphs: [w.t(overdue ? 'cancelled.bodyNow' : 'cancelled.body', said)],
        action: toPage(w),
      };
    },

    async resumed(w) {
      const found = await subscriptionFacts(db, w);
      if (!found || found.row.cancel_at_period_end) return undefined;
      const { said } = found;
      return {
        subject: w.t('resumed.subject', said),
        preview: await nextPayment(found, w),
        paragraphs: [w.t('resumed.body', said)],
        action: toPage(w),
      };
    },

    async endsSoon(w) {
      const found = await subscriptionFacts(db, w);
      const { status, cancel_at_period_end, replaced_by } = found?.row ?? {};
      // Another one takes its place: it ends when that runs.
      if (!found || status !== 'active' || !cancel_at_period_end || replaced_by) return undefined;
      const { said } = found;
      return {
        subject: w.t('endsSoon.subject', said),
        preview: w.t('endsSoon.preview'),
        paragraphs: [w.t('endsSoon.body', said)],
        action: toPage(w),
        notes: [w.t('endsSoon.note')],
      };
    },

    async downgradePlanned(w) {
      const found = await subscriptionFacts(db, w);
      const from = found?.row.next_from;
      if (!found || !from) return undefined;
      const said = {
        ...found.coming,
        amount: formatMoney(found.row.next_renewal!, found.row.currency, w.language),
        date: found.day(from),
        devices: found.row.next_entitlements!.devices,
      };
      return {
        subject: w.t('downgradePlanned.subject', said),
        preview: w.t('downgradePlanned.preview', said),
        paragraphs: [w.t('downgradePlanned.body', said), w.t('downgradePlanned.keys', said)],
        action: toPage(w),
        notes: [w.t('downgradePlanned.note')],
      };
    },

    async downgradeUndone(w) {
      const found = await subscriptionFacts(db, w);
      if (!found || found.row.next_from) return undefined;
      const { said } = found;
      return {
        subject: w.t('downgradeUndone.subject', said),
        preview: await nextPayment(found, w),
        paragraphs: [w.t('downgradeUndone.body', said)],
        action: toPage(w),
      };
    },

    async withdrawn(w) {
      const found = await subscriptionFacts(db, w);
      const back = await backOf(db, w.subjectId);
      if (!found || !back) return undefined;
      const { said } = found;
      const money = back.money > 0 && formatMoney(back.money, back.currency, w.language);
      const credit = back.credit > 0 && formatMoney(back.credit, back.currency, w.language);
      return {
        subject: w.t('withdrawn.subject', said),
        preview: w.t('withdrawn.preview'),
        paragraphs: [
          w.t('withdrawn.body', said),
          ...(money ? [w.t('withdrawn.money', { amount: money })] : []),
          ...(credit ? [w.t('withdrawn.credit', { amount: credit })] : []),
        ],
        action: toPage(w),
        ...(money && { notes: [w.t('refunded.note')] }),
      };
    },

    async expired(w) {
      const found = await subscriptionFacts(db, w);
      if (found?.row.status !== 'expired') return undefined;
      const { row, said, day } = found;
      const until = row.reserved_until && { ...said, date: day(row.reserved_until) };
      return {
        subject: w.t('expired.subject', said),
        preview: until ? w.t('expired.preview', until) : w.t('expired.body', said),
        paragraphs: [w.t('expired.body', said)],
        action: toPage(w),
        ...(until && { notes: [w.t('expired.note', until)] }),
      };
    },

    async addressHeld(w) {
      const found = await subscriptionFacts(db, w);
      const until = found?.row.reserved_until;
      if (!until) return undefined;
      const said = { ...found.said, date: found.day(until) };
      return {
        subject: w.t('addressHeld.subject', said),
        preview: w.t('expired.preview', said),
        paragraphs: [w.t('expired.note', said), w.t('addressHeld.after')],
        action: toPage(w),
      };
    },

    async reactivated(w) {
      const found = await subscriptionFacts(db, w);
      if (found?.row.status !== 'active') return undefined;
      const { said } = found;
      const move = await lastMove(db, w.subjectId, 'reactivate').executeTakeFirst();
      return {
        subject: w.t('reactivated.subject', said),
        preview: w.t('ready.preview', said),
        paragraphs: [
          w.t('reactivated.body', said),
          w.t(move?.detail.sameAddress ? 'reactivated.same' : 'reactivated.other', said),
        ],
        action: toPage(w),
      };
    },
  };
}

/** The last charge of a renewal that we made alone. */
const lastCharge = (db: Db, invoiceId: string) =>
  db
    .selectFrom('attempt')
    .select(['hard', 'asks_owner'])
    .where('invoice_id', '=', invoiceId)
    .where('unattended', '=', true)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The last move of a kind in the history of a subscription. */
const lastMove = (db: Db, subscriptionId: string, command: string) =>
  db
    .selectFrom('subscription_history')
    .select(['at', 'detail'])
    .where('subscription_id', '=', subscriptionId)
    .where('command', '=', command)
    .orderBy('version', 'desc')
    .limit(1);

const turnedOffAt = async (db: Db, subscriptionId: string): Promise<Date> =>
  (await lastMove(db, subscriptionId, 'cancel').executeTakeFirstOrThrow()).at;

/** What came back of the contract that was last withdrawn from. */
async function backOf(db: Db, subscriptionId: string) {
  const last = await lastMove(db, subscriptionId, 'withdraw').executeTakeFirst();
  return last && (last.detail as { currency: string; money: number; credit: number });
}
