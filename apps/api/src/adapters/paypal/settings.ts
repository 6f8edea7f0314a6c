import { wayBackPath } from '@fixpoint/contract/way-back.ts';
import type { Clock } from '../../ports/clock.ts';

export type PaypalSettings = {
  clientId: string;
  secret: string;
  /** Our webhook, as PayPal names it: part of what its deliveries are signed over. */
  webhookId: string;
  apiOrigin: string;
  /** A PEM file of authorities besides the usual ones, whose certificates may sign deliveries. */
  authorityFile: string | undefined;
  /** Buyers are asked whether they may be charged again. */
  keepsAccounts: boolean;
  brandName: string;
  /** Where a buyer comes back to, having agreed or not. PayPal adds what it wants to the query. */
  returnUrl: string;
  cancelUrl: string;
  clock: Clock;
};
/** How the environment says that PayPal is reached; undefined when the shop does without. */
export const paypalSettings = (
  env: {
    PAYPAL_CLIENT_ID?: string | undefined;
    PAYPAL_SECRET?: string | undefined;
    PAYPAL_WEBHOOK_ID?: string | undefined;
    PAYPAL_API_ORIGIN: string;
    PAYPAL_CERT_CA_FILE?: string | undefined;
    PAYPAL_RECURRING: 'vault' | 'none';
    PUBLIC_URL: string;
    BRAND_NAME: string;
  },
  clock: Clock,
): PaypalSettings | undefined =>
  env.PAYPAL_CLIENT_ID && env.PAYPAL_SECRET && env.PAYPAL_WEBHOOK_ID
    ? {
        clientId: env.PAYPAL_CLIENT_ID,
        secret: env.PAYPAL_SECRET,
        webhookId: env.PAYPAL_WEBHOOK_ID,
        apiOrigin: env.PAYPAL_API_ORIGIN,
        authorityFile: env.PAYPAL_CERT_CA_FILE,
        keepsAccounts: env.PAYPAL_RECURRING === 'vault',
        brandName: env.BRAND_NAME,
        returnUrl: `${env.PUBLIC_URL}${wayBackPath('agreed')}`,
        cancelUrl: `${env.PUBLIC_URL}${wayBackPath('cancelled')}`,
        clock,
      }
    : undefined;
