import type { Language } from '@fixpoint/contract/languages.ts';
import { MOST_TRIES, nextRenewalStep, payableUntil } from '@fixpoint/domain/subscription/renewal.ts';
import { formatDate, formatMoney } from '@fixpoint/texts/format.ts';
import { sql } from 'kysely';
import type { Db } from '../ports/database.ts';
import { attached } from './attached.ts';
import type { Voice } from './letter.ts';
import type { LetterContent } from './letter-content.ts';

/** Who writes: whose voice, about which subscription, and where its page is. */
export type SubscriptionWriter = Voice & { language: Language; subjectId: string; pageUrl: string };

/** Everything that letters about a subscription say. */
async function facts(db: Db, w: SubscriptionWriter) {
  const row = await db
    .selectFrom('subscription as s')
    .innerJoin('product', 'product.id', 's.product_id')
    .innerJoin('region', 'region.id', 'product.region_id')
    .leftJoin('product as next', 'next.id', 's.next_product_id')
    .leftJoin('plan as next_plan', 'next_plan.id', 'next.plan_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 's.id')
    .leftJoin('invoice', join =>
      join
        .onRef('invoice.subscription_id', '=', 's.id')
        .on('invoice.purpose', '=', 'renewal')
        .on('invoice.status', '=', 'open'),
    )
    .select(['s.status', 's.renewal', 's.currency', 's.cycle_count', 's.period_start', 's.period_end'])
    .select(['s.cancel_at_period_end', 's.reminders', 's.tries', 's.customer_id', 's.id'])
    .select([
      's.next_from',
      's.next_renewal',
      'next.plan_id as next_plan_id',
      'next_plan.devices as next_devices',
    ])
    .select(['product.plan_id', 'region.id as region_id', 'region.name as region', 'static_ip.held_until'])
    .select([
      'invoice.id as invoice_id',
      'invoice.reference',
      'invoice.issued_at',
      'invoice.total',
      'invoice.credit_used',
    ])
    .select('invoice.prepaid')
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .where('s.id', '=', w.subjectId)
    .executeTakeFirst();
  if (!row?.period_end) return undefined;
  const day = (at: Date) => formatDate(w.dates, at);
  const due =
    row.total === null ? (row.next_renewal ?? row.renewal) : row.total - row.credit_used! - row.prepaid!;
  const planName = (id: string) => w.nameOf('plans.name', id) ?? id;
  const said = {
    plan: planName(row.plan_id),
    region: w.nameOf('region', row.region_id) ?? row.region,
    address: row.address ?? '',
    amount: formatMoney(due, row.currency, w.language),
    date: day(row.period_end),
  };
  return {
    row: { ...row, period_end: row.period_end },
    day,
    last:
      row.issued_at && day(payableUntil(row.issued_at, { start: row.period_start!, end: row.period_end })),
    said,
    /** The same of the next period, with which a cheaper plan may begin. */
    coming: { ...said, plan: planName(row.next_plan_id ?? row.plan_id) },
  };
}

type Letter = (w: SubscriptionWriter) => Promise<LetterContent | undefined>;

/**
 * The letters of a subscription's life. Each says how things stand when it is written: one that came too late for what it
 * would say is not written.
 */
export function subscriptionLetters(
  db: Db,
  renewsByItself: (db: Db, of: { customerId: string; subscriptionId: string }) => Promise<boolean>,
): Record<
  'renewalAhead' | 'renewalFailed' | 'renewalDue' | 'cancelled' | 'resumed' | 'downgradePlanned' | 'expired',
  Letter
> {
  const toPage = ({ t, pageUrl }: SubscriptionWriter) => ({ label: t('ready.action'), url: pageUrl });
  const toPay = ({ t, pageUrl }: SubscriptionWriter) => ({ label: t('renewalDue.action'), url: pageUrl });
  return {
    async renewalAhead(w) {
      const found = await facts(db, w);
      if (found?.row.status !== 'active' || found.row.cancel_at_period_end) return undefined;
      const { row, coming: said } = found;
      const byUs = await renewsByItself(db, { customerId: row.customer_id, subscriptionId: row.id });
      return {
        subject: w.t('renewalAhead.subject', said),
        preview: w.t('renewalAhead.preview', said),
        paragraphs: [w.t(byUs ? 'renewalAhead.byUs' : 'renewalAhead.byHand', said)],
        action: toPage(w),
        notes: [w.t('renewalAhead.note')],
      };
    },

    async renewalFailed(w) {
      const found = await facts(db, w);
      if (!found?.row.issued_at) return undefined;
      const { row, coming: said, day } = found;
      const { step, at } = nextRenewalStep({
        period: { start: row.period_start!, end: row.period_end },
        cycleCount: row.cycle_count,
        cancelled: row.cancel_at_period_end,
        byHand: false,
        reminders: row.reminders,
        openedAt: row.issued_at,
        tries: row.tries,
      });
      // That it has ended is another letter.
      if (step !== 'charge') return undefined;
      const body = { ...said, reference: row.reference! };
      return {
        subject: w.t('renewalFailed.subject', said),
        preview: w.t('renewalFailed.preview'),
        paragraphs: [
          w.t('renewalFailed.body', body),
          w.t(row.tries < MOST_TRIES - 1 ? 'renewalFailed.again' : 'renewalFailed.last', { date: day(at) }),
        ],
        action: toPay(w),
      };
    },

    async renewalDue(w) {
      const found = await facts(db, w);
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

    cancelled: will(db, 'cancelled', true, toPage),
    resumed: will(db, 'resumed', false, toPage),

    async downgradePlanned(w) {
      const found = await facts(db, w);
      const from = found?.row.next_from;
      if (!found || !from) return undefined;
      const said = {
        ...found.coming,
        amount: formatMoney(found.row.next_renewal!, found.row.currency, w.language),
        date: found.day(from),
        devices: found.row.next_devices!,
      };
      return {
        subject: w.t('downgradePlanned.subject', said),
        preview: w.t('downgradePlanned.preview', said),
        paragraphs: [w.t('downgradePlanned.body', said), w.t('downgradePlanned.keys', said)],
        action: toPage(w),
        notes: [w.t('downgradePlanned.note')],
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
      const found = await facts(db, w);
      if (found?.row.status !== 'expired') return undefined;
      const { row, said, day } = found;
      const until = row.held_until && { ...said, date: day(row.held_until) };
      return {
        subject: w.t('expired.subject', said),
        preview: until ? w.t('expired.preview', until) : w.t('expired.body', said),
        paragraphs: [w.t('expired.body', said)],
        action: toPage(w),
        ...(until && { notes: [w.t('expired.note', until)] }),
      };
    },
  };
}

/** Its customer turned the renewal off, or on again. */
const will =
  (
    db: Db,
    name: 'cancelled' | 'resumed',
    off: boolean,
    action: (w: SubscriptionWriter) => { label: string; url: string },
  ): Letter =>
  async w => {
    const found = await facts(db, w);
    if (found?.row.cancel_at_period_end !== off) return undefined;
    const { said } = found;
    return {
      subject: w.t(`${name}.subject`, said),
      preview: w.t(`${name}.preview`, said),
      paragraphs: [w.t(`${name}.body`, said)],
      action: action(w),
    };
  };

/** What came back of the contract that was last withdrawn from. */
async function backOf(db: Db, subscriptionId: string) {
  const last = await db
    .selectFrom('subscription_history')
    .select('detail')
    .where('subscription_id', '=', subscriptionId)
    .where('command', '=', 'withdraw')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last && (last.detail as { currency: string; money: number; credit: number });
}
