import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { brandOf } from '../cards.ts';

export const noBilling = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
} satisfies Stripe.PaymentMethod.BillingDetails;

const base = (id: string, created: number, billing: Stripe.PaymentMethod.BillingDetails) => ({
  id,
  object: 'payment_method' as const,
  allow_redisplay: 'unspecified' as const,
  billing_details: billing,
  created,
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
});

/** Bank of the debit test card. */
const DEBIT_ISSUER = 'SANDBOX BANK PUBLIC COMPANY LIMITED';

/** A card in Stripe's form, without its number. The fingerprint is the same for the same number. */
export function newCard(
  id: string,
  created: number,
  card: { number: string; expMonth: number; expYear: number; cvcGiven: boolean },
  billing: Stripe.PaymentMethod.BillingDetails,
): Stripe.PaymentMethod {
  const brand = brandOf(card.number);
  const isDebit = card.number === '4000056655665556';
  return {
    ...base(id, created, billing),
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: card.cvcGiven ? 'unchecked' : null,
      },
      country: 'US',
      display_brand: brand === 'amex' ? 'american_express' : brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: createHash('sha256')
        .update(`card:${card.number}`)
        .digest('base64url')
        .replace(/[-_]/g, '0')
        .slice(0, 16),
      funding: isDebit ? 'debit' : 'credit',
      generated_from: null,
      // Stripe names the issuer to some accounts only; here of one card.
      ...(isDebit && { issuer: DEBIT_ISSUER }),
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    type: 'card',
  } satisfies Stripe.PaymentMethod;
}

/** PromptPay: single use; a refund asks the e-mail address for bank details. */
export function newPromptPay(
  id: string,
  created: number,
  billing: Stripe.PaymentMethod.BillingDetails,
): Stripe.PaymentMethod {
  return { ...base(id, created, billing), promptpay: {}, type: 'promptpay' } satisfies Stripe.PaymentMethod;
}
