/**
 * Kinds of emails that a customer may switch off. Never those about security, money due, receipts, and the law.
 * `renewalAhead`: announcements of renewals that are charged by themselves (not of yearly ones); `usage`: how much data a month
 * has used; `ready`: another VPN is ready.
 */
export const emailChoices = ['renewalAhead', 'usage', 'ready'] as const;
export type EmailChoice = (typeof emailChoices)[number];
