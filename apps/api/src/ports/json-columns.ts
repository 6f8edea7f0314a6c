import type { Drift } from '@fixpoint/contract/agent.ts';
import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';

/** Types of the JSON columns. */
export type JsonColumns = {
  'invoice.buyer': Buyer;
  'buyer_details.details': BuyerDetails;
  'invoice_replacement.company': BuyerDetails;
  'invoice_replacement.seller': Seller;
  'invoice.seller': Seller;
  'credit_note.seller': Seller;
  'invoice_line.text': LineText;
  'shop_order.entitlements': PlanEntitlements;
  'subscription.next_entitlements': PlanEntitlements;
  'shop_order.upgrade': UpgradeOffer;
  'shop_order.replacement': ReplacementOffer;
  'attempt.paid_with': PaidWith;
  'saved_method.consent': Consent;
  'alert.what': Facts;
  'host.drift': Drift[];
  'subscription_history.detail': Facts;
  'job_request.data': Record<string, string>;
  'audit_entry.before': Facts;
  'audit_entry.after': Facts;
  'audit_detail.detail': Facts;
  'staff_preview.input': Record<string, unknown>;
  'staff_preview.result': Record<string, unknown>;
};

/** Entitlements of a plan as agreed, because the catalogue may change before it begins. */
export type PlanEntitlements = {
  devices: number;
  dataTransferGb: number;
  rateMbit: number;
  portForward: boolean;
};

/**
 * Buyer at the time of issue. Address and company are erased with the account. `wasCompany`: it named a company, so its
 * documents stay full tax invoices.
 */
export type Buyer = { email?: string; company?: BuyerDetails; wasCompany?: true };

/**
 * Seller at the time of issue. `country`: ISO 3166 code of the country whose VAT and days it has (M4); version 0.2 wrote
 * none. `branch`: of a Thai seller, `00000` for the head office.
 */
export type Seller = {
  brand: string;
  company: string;
  address: string;
  taxId: string;
  branch?: string;
  country?: string;
};

/** Consent of a card's owner: the sentence as shown, and its version. */
export type Consent = { version: string; language: string; text: string };

/** A card as its owner recognises it. */
export type PaidWith = { brand: string; last4: string };

/**
 * One invoice line, with names at the time of issue in the language of the invoice. `period`: a
 * plan for one period; `days`: a plan for remaining days; `unused`: credit for unused days.
 */
export type LineText = {
  kind: 'period' | 'days' | 'unused';
  plan: string;
  planId: string;
  place: string;
  cycleCount: 1 | 3 | 6 | 12;
  /** Only for `days` and `unused`. */
  days?: number;
  /** Label and address of the subscription; absent in the purchase that creates it. */
  label?: string;
  address?: string;
};

/** Offer of a plan change, in integer hundredths, gross. */
export type UpgradeOffer = {
  /** Version of the subscription; the offer is void once it differs. */
  version: number;
  days: number;
  unused: number;
  price: number;
  /** Remainder that becomes the customer's credit. */
  rest: number;
  /**
   * Invoices that paid for those days, newest first, and the part of them without a credit note.
   */
  invoices: string[];
  left: number;
  /** Price of the plan for all days of each affected period. */
  periods: { startsAt: string; price: number }[];
};

/**
 * The subscription that a new one replaces, and its proration credit: gross, integer hundredths.
 */
export type ReplacementOffer = {
  subscriptionId: string;
  /** Version of that subscription; the offer is void once it differs. */
  version: number;
  days: number;
  unused: number;
  /**
   * Invoices that paid for those days, newest first, and the part of them without a credit note.
   */
  invoices: string[];
  left: number;
};

/** Ids, states and numbers; nothing that names a person. */
export type Facts = Record<string, string | number | boolean | null>;
