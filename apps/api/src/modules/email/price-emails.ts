import { chargeAt } from '@fixpoint/domain/subscription/renewal.ts';
import { formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import type { Db } from '../../ports/database.ts';
import type { EmailContent } from './email-content.ts';
import { type SubscriptionWriter, subscriptionFacts } from './subscription-facts.ts';

type Email = (w: SubscriptionWriter) => Promise<EmailContent | undefined>;

/** The emails by which renewals cost something else than before: written before anybody pays it, and how not to. */
export function priceEmails(db: Db): Record<'priceChange' | 'vatChange' | 'priceKept', Email> {
  const renews = async (w: SubscriptionWriter) => {
    const found = await subscriptionFacts(db, w);
    return found?.row.cancel_at_period_end || found?.row.status === 'expired' ? undefined : found;
  };
  const toPage = (w: SubscriptionWriter) => ({ action: { label: w.t('ready.action'), url: w.pageUrl } });
  /** How not to pay it: turned off before the first period at that price is charged, which is before it begins. */
  const common = (w: SubscriptionWriter, { start, day }: { start: Date; day(at: Date): string }) => ({
    ...toPage(w),
    notes: [w.t('renewalAhead.note', { date: day(chargeAt({ start, end: start })) })],
  });
  return {
    async priceChange(w) {
      const found = await renews(w);
      const from = found?.row.announced_renewal_from;
      if (!found || !from) return undefined;
      const amount = (minor: number) => formatMoney(minor, found.row.currency, w.language);
      const said = {
        ...found.said,
        old: amount(found.row.renewal),
        amount: amount(found.row.announced_renewal!),
        date: found.day(from),
      };
      return {
        subject: w.t('priceChange.subject', said),
        preview: w.t('priceChange.preview', said),
        paragraphs: [w.t('priceChange.body', said)],
        ...common(w, { start: from, day: found.day }),
      };
    },

    async vatChange(w) {
      const found = await renews(w);
      const from = found?.row.announced_vat_from;
      if (!found || !from) return undefined;
      const { row } = found;
      const rate = (bp: number) => formatPercent(bp / 10_000, w.language);
      const newPrice = row.announced_renewal_from !== null && row.announced_renewal_from <= from;
      const price = newPrice ? row.announced_renewal! : row.renewal;
      const said = {
        ...found.said,
        old: rate(row.vat_rate_bp),
        rate: rate(row.announced_vat_rate_bp!),
        amount: formatMoney(price, row.currency, w.language),
        date: found.day(from),
      };
      return {
        subject: w.t('vatChange.subject', said),
        preview: w.t('vatChange.preview', said),
        paragraphs: [w.t('vatChange.body', said)],
        ...common(w, { start: from, day: found.day }),
      };
    },

    async priceKept(w) {
      const found = await renews(w);
      if (!found) return undefined;
      const { said } = found;
      return {
        subject: w.t('priceKept.subject', said),
        preview: w.t('renewalAhead.preview', said),
        paragraphs: [w.t('priceKept.body', said)],
        ...toPage(w),
      };
    },
  };
}
