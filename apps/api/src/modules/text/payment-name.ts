import type { Translate } from './translator.ts';

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};
/** Names that are the same in every language. */
const methods: Record<string, string> = { paypal: 'PayPal', bitcoin: 'Bitcoin', promptpay: 'PromptPay' };

/** What an invoice was paid with, such as `Visa •••• 4242`. @param paid the method, and the card, where it was one */
export function paymentName(
  { method, card }: { method: string; card?: { brand: string; last4: string } | null | undefined },
  t: Translate,
): string {
  if (card) return `${brands[card.brand] ?? card.brand} •••• ${card.last4}`;
  return methods[method] ?? t(method === 'credit' ? 'document.credit' : 'document.card');
}
