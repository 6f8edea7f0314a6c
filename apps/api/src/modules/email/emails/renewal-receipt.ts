import { formatDate } from '@fixpoint/texts/format.ts';
import { defineEmail } from '../define-email.ts';
import { attachedReceipt, receiptContent, receiptFacts, receiptLine } from '../receipt-facts.ts';

/** Sent with the receipt of a paid renewal: names the end of the period that it paid for. */
export const renewalReceipt = defineEmail({
  name: 'renewed',
  toEndedAccounts: true,
  together: { kind: 'receipt', pace: 'day' },
  async load(context) {
    const facts = await receiptFacts(context);
    return facts?.period_end ? { ...facts, periodEnd: facts.period_end } : undefined;
  },
  content(context, { periodEnd, ...facts }) {
    const { t, dates, hasEnded } = context;
    const values = { plan: facts.plan, date: formatDate(dates, periodEnd) };
    return receiptContent(context, facts, t(hasEnded ? 'receipt.body' : 'renewed.body', values));
  },
  line: (context, facts) => receiptLine(context, facts),
  attachment: async (_context, facts) => attachedReceipt(facts),
});
