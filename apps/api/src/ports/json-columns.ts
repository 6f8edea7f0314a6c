import type { Drift } from '@fixpoint/contract/agent.ts';

/** What stands in the columns of JSON. */
export type JsonColumns = {
  'invoice.buyer': Buyer;
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
};

/** What a plan gives, as it was agreed: the catalogue may say something else by the time it begins. */
export type PlanEntitlements = {
  devices: number;
  dataTransferGb: number;
  rateMbit: number;
  portForward: boolean;
};

/** Who buys, as it was at issue. The address is erased with the account. */
export type Buyer = { email?: string };

/** Who sells, as it was at issue. */
export type Seller = { brand: string; company: string; address: string; taxId: string };

/** What the owner of a card agreed to: the sentence as it was shown, and which version of it that is. */
export type Consent = { version: string; language: string; text: string };

/** A card as its owner recognises it. */
export type PaidWith = { brand: string; last4: string };

/**
 * One line of an invoice in names as they were at issue, in the language of the invoice. `period`: a plan for one period;
 * `days`: a plan for the days that are left of one; `unused`: what was paid for them, taken off.
 */
export type LineText = {
  kind: 'period' | 'days' | 'unused';
  plan: string;
  planId: string;
  place: string;
  cycleCount: 1 | 3 | 6 | 12;
  /** Of `days` and `unused`. */
  days?: number;
};

/** What a change of plan was offered for, in integer hundredths, gross. */
export type UpgradeOffer = {
  /** Of the subscription, as it was then: of another it is not taken any more. */
  version: number;
  days: number;
  unused: number;
  price: number;
  /** What is its customer's credit then. */
  rest: number;
  /** The invoices that paid for those days, the newest first, and what of them no credit note had taken back. */
  invoices: string[];
  left: number;
  /** What the plan costs for all days of each period that it changes. */
  periods: { startsAt: string; price: number }[];
};

/** Which subscription a new one takes the place of, and what was paid for its days that are left: gross, integer hundredths. */
export type ReplacementOffer = {
  subscriptionId: string;
  /** Of that subscription, as it was then: of another it is not taken any more. */
  version: number;
  days: number;
  unused: number;
  /** The invoices that paid for those days, the newest first, and what of them no credit note had taken back. */
  invoices: string[];
  left: number;
};

/** Ids, states, numbers: nothing that names a person. */
export type Facts = Record<string, string | number | boolean | null>;
