/** `/config.json` (spec section 3): what the web client reads before anything else. Public values only. */
export type PublicConfig = {
  API_URL: string;
  SOCKET_URL: string;
  STRIPE_PUB: string;
  PAYPAL_CLIENT_ID: string;
  /** Script that defines `window.Stripe`. */
  STRIPE_JS_URL: string;
  /** Present only when the sandbox providers run. */
  SANDBOX_URL?: string;
  BRAND_NAME: string;
  SUPPORT_EMAIL: string;
  DEFAULT_CURRENCY: string;
};
