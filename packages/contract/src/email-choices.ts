/**
 * Kinds of emails that a user may switch off. Never those about security, money due, receipts, and the law.
 * `renewalAhead`: announcements of renewals that are charged by themselves (not of yearly ones); `usage`: how much data a month
 * has used; `ready`: another VPN is ready; `shared`: all about payments and subscriptions of a customer, as long as another owner
 * gets them.
 */
export const emailChoices = ['renewalAhead', 'usage', 'ready', 'shared'] as const;
export type EmailChoice = (typeof emailChoices)[number];
