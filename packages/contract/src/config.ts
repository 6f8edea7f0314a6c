/** When support answers, Bangkok time: always, or which days from when until when. */
export const supportHours =
  /^(?:24\/7|(?<days>daily|weekdays) (?<from>(?:[01]\d|2[0-3]):[0-5]\d)-(?<to>(?:[01]\d|2[0-3]):[0-5]\d))$/;

/** `/config.json`: what the web client reads before anything else. Public values only. */
export type PublicConfig = {
  API_URL: string;
  SOCKET_URL: string;
  STRIPE_PUB: string;
  /** Empty: a shop without PayPal. */
  PAYPAL_CLIENT_ID: string;
  /**
   * Origin of the pay document (`/pay.html`): another one than the shop's, so that the card provider's script cannot
   * reach the shop's page.
   */
  PAY_URL: string;
  /** Origins that the pay document talks to. */
  SHOP_ORIGINS: string[];
  /** Script that defines `window.Stripe`. */
  STRIPE_JS_URL: string;
  /** Present only when the sandbox providers run. */
  SANDBOX_URL?: string;
  BRAND_NAME: string;
  /** Who sells, for footer and checkout; empty where the operator has not said so. */
  COMPANY_NAME: string;
  COMPANY_ADDRESS: string;
  COMPANY_TAX_ID: string;
  SUPPORT_EMAIL: string;
  /** `24/7`, or days and Bangkok times as `supportHours` matches them. */
  SUPPORT_HOURS: string;
  /** The operator's chat and the token of its website inbox, which is public; both or none. */
  CHATWOOT_URL?: string;
  CHATWOOT_TOKEN?: string;
  DEFAULT_CURRENCY: string;
};
