import { formatDate } from '@fixpoint/texts/format.ts';
import { defineEmail } from '../define-email.ts';
import { attachedReceipt, receiptContent, receiptFacts, receiptLine } from '../receipt-facts.ts';

/** Sent with the receipt of a paid upgrade. One that was paid too late has not begun and is credit: it says "paid" only. */
export const upgradeReceipt = defineEmail({
  name: 'upgraded',
  toEndedAccounts: true,
  together: { kind: 'receipt', pace: 'sitting' },
  load: receiptFacts,
  content(context, facts) {
    const { t, dates, hasEnded } = context;
    const { plan, paid_until: paidUntil, order_status: status } = facts;
    const body =
      status === 'fulfilled' && paidUntil && !hasEnded
        ? t('upgraded.body', { plan, date: formatDate(dates, paidUntil) })
        : t('receipt.body');
    return receiptContent(context, facts, body);
  },
  line: receiptLine,
  attachment: async (_context, facts) => attachedReceipt(facts),
});
