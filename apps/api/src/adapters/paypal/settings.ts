import { returnPath } from '@fixpoint/contract/return-path.ts';
import type { Clock } from '../../ports/clock.ts';

export type PaypalSettings = {
  clientId: string;
  secret: string;
  /** Id of our webhook at PayPal, which is part of the signed text. */
  webhookId: string;
  apiOrigin: string;
  /** PEM file of further authorities whose certificates may sign deliveries. */
  authorityFile: string | undefined;
  /** Buyers may save their account for automatic charges. */
  keepsAccounts: boolean;
  brandName: string;
  /** Return URLs after approval or cancellation. PayPal adds query parameters. */
  returnUrl: string;
  cancelUrl: string;
  clock: Clock;
};
/** Settings of PayPal from the environment; undefined without it. */
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
        returnUrl: `${env.PUBLIC_URL}${returnPath('agreed')}`,
        cancelUrl: `${env.PUBLIC_URL}${returnPath('cancelled')}`,
        clock,
      }
    : undefined;
