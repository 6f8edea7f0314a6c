/** When support answers, in Bangkok time: always, or days with a start and an end. */
export const supportHours =
  /^(?:24\/7|(?<days>daily|weekdays) (?<from>(?:[01]\d|2[0-3]):[0-5]\d)-(?<to>(?:[01]\d|2[0-3]):[0-5]\d))$/;

/** `/config.json`, which the web client reads first. Public values only. */
export type PublicConfig = {
  API_URL: string;
  SOCKET_URL: string;
  STRIPE_PUB: string;
  /** Empty: a shop without PayPal. */
  PAYPAL_CLIENT_ID: string;
  /**
   * Origin of the payment page (`/pay.html`). A separate origin, so that the card provider's script
   * cannot access the shop.
   */
  PAY_URL: string;
  /** Origins that the payment page talks to. */
  SHOP_ORIGINS: string[];
  /** Script that defines `window.Stripe`. */
  STRIPE_JS_URL: string;
  /** Present only when the sandbox providers run. */
  SANDBOX_URL?: string;
  BRAND_NAME: string;
  /** Seller, for footer and checkout; empty if the operator has not set it. */
  COMPANY_NAME: string;
  COMPANY_ADDRESS: string;
  COMPANY_TAX_ID: string;
  /** Where the company is, since which year it exists, and who audits it; empty if not set. */
  COMPANY_PLACE: string;
  COMPANY_SINCE: string;
  COMPANY_AUDITOR: string;
  SUPPORT_EMAIL: string;
  /** `24/7`, or days and Bangkok times as `supportHours` matches them. */
  SUPPORT_HOURS: string;
  /** The operator's chat and the public token of its website inbox; both or none. */
  CHATWOOT_URL?: string;
  CHATWOOT_TOKEN?: string;
  DEFAULT_CURRENCY: string;
  /**
   * Countries whose buyers may withdraw within 14 days: `full` returns all their money, once per
   * customer, `days` that of the unused days.
   */
  WITHDRAWAL: Readonly<Record<string, 'full' | 'days'>>;
  /** Banks whose debit cards are not taken; empty: all are. */
  UNSUPPORTED_DEBIT_ISSUERS: string[];
};
