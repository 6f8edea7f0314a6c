import { defineEmail } from '../define-email.ts';
import { attachedReceipt, receiptContent, receiptFacts, receiptLine } from '../receipt-facts.ts';

/** Sent with the receipt of a paid order, and again when its buyer asks for it. */
export const purchaseReceipt = defineEmail({
  name: 'receipt',
  together: { kind: 'receipt', pace: 'sitting' },
  load: receiptFacts,
  content: (context, facts) => receiptContent(context, facts, context.t('receipt.body')),
  line: receiptLine,
  attachment: async (_context, facts) => attachedReceipt(facts),
});
