import { defineEmail } from '../define-email.ts';
import { toSubscription } from '../links.ts';
import { attachedReceipt, receiptContent, receiptFacts, receiptLine } from '../receipt-facts.ts';

/**
 * Sent with the receipt of a paid order, where the VPN is not ready within a minute, and again when its buyer asks for it. A
 * new buyer's leads on to setting a password.
 */
export const purchaseReceipt = defineEmail({
  name: 'receipt',
  toEndedAccounts: true,
  together: { kind: 'receipt', pace: 'sitting' },
  load: receiptFacts,
  content(context, facts) {
    const { t, isNew } = context;
    const content = receiptContent(context, facts, t('receipt.body'));
    if (!isNew) return content;
    return {
      ...content,
      paragraphs: [...content.paragraphs, t('receipt.new')],
      action: { ...toSubscription(context, facts.subscription_id ?? undefined), label: t('welcome.action') },
      notes: [t('welcome.note'), ...(content.notes ?? [])],
    };
  },
  line: receiptLine,
  attachment: async (_context, facts) => attachedReceipt(facts),
});
