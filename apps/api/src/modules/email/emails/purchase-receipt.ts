import { defineEmail } from '../define-email.ts';
import { attachedReceipt, receiptContent, receiptFacts } from '../receipt-facts.ts';

/** Sent with the receipt of a paid order, and again when its buyer asks for it. */
export const purchaseReceipt = defineEmail({
  name: 'receipt',
  load: receiptFacts,
  content: (context, facts) => receiptContent(context, facts, context.t('receipt.body')),
  attachment: async (_context, facts) => attachedReceipt(facts),
});
