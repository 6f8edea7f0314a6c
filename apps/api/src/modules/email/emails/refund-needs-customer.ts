import { defineEmail } from '../define-email.ts';
import { refundFacts, refundSentContent } from '../refund-facts.ts';

/**
 * Sent when a gateway needs an answer before it can refund: a bank account (asked by the gateway itself) or a Bitcoin
 * address. Once it has the answer, the email only announces the refund of an unapplied payment; others were announced with
 * their credit notes.
 */
export const refundNeedsCustomer = defineEmail({
  name: 'refundAsks',
  toEndedAccounts: true,
  async load(context) {
    const refund = await refundFacts(context);
    const asks = await context.refundAsks(context.subjectId);
    return refund && (asks || refund.reason === 'unapplied') ? { ...refund, asks } : undefined;
  },
  content(context, { asks, ...refund }) {
    if (!asks) return refundSentContent(context, refund);
    const { t } = context;
    const { amount } = refund;
    const body = t(`refundAsks.${asks.kind}`, { amount });
    return {
      subject: t('refundAsks.subject', { amount }),
      preview: body,
      paragraphs: [body],
      ...(asks.kind === 'address' && { action: { label: t('refundAsks.action'), url: asks.url } }),
    };
  },
});
