import { z } from 'zod';
import { type Checked, clockCheck, lacking, type ProviderCheck } from '../../ports/provider-check.ts';
import { type PaypalClient, PaypalRefused, reach } from './client.ts';

/** Events that the shop handles; others may be sent and are ignored. */
export const EVENTS: readonly string[] = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  ...['COMPLETED', 'PENDING', 'DECLINED', 'DENIED', 'REFUNDED', 'REVERSED'].map(
    word => `PAYMENT.CAPTURE.${word}`,
  ),
  'VAULT.PAYMENT-TOKEN.DELETED',
  ...['CREATED', 'UPDATED', 'RESOLVED'].map(word => `CUSTOMER.DISPUTE.${word}`),
];
/** Scope for automatic charges. */
const VAULT = 'https://uri.paypal.com/services/vault/payment-tokens/readwrite';
const HOUR_MS = 60 * 60_000;

const webhookShape = z.object({ url: z.string(), event_types: z.array(z.object({ name: z.string() })) });

/** Checks keys, webhook and features of the app at PayPal. */
export const createPaypalCheck = (
  { get, scopes, search, settings }: PaypalClient,
  publicUrl: string,
): ProviderCheck => ({
  provider: 'paypal',

  async run() {
    const webhook = await answered(get(webhookShape, `v1/notifications/webhooks/${settings.webhookId}`));
    if (webhook === 401) return [{ about: 'PAYPAL_SECRET', missing: 'PayPal does not know id and secret' }];
    const found: Checked[] = [{ about: 'PAYPAL_SECRET' }];
    if (typeof webhook === 'number') {
      found.push({ about: 'webhook', missing: `PAYPAL_WEBHOOK_ID is unknown there (${webhook})` });
    } else {
      const url = `${publicUrl}/webhooks/paypal`;
      const names = webhook.event_types.map(({ name }) => name);
      found.push(
        {
          about: 'webhook',
          missing: webhook.url === url ? undefined : `goes to ${webhook.url}, not to ${url}`,
        },
        {
          about: 'webhook events',
          missing: names.includes('*') ? undefined : lacking('not sent', EVENTS, names),
        },
      );
    }
    if (settings.keepsAccounts) {
      const may = (await scopes()).includes(VAULT);
      found.push({
        about: 'PAYPAL_RECURRING',
        missing: may ? undefined : 'is vault, which PayPal has not allowed the app: renewals would fail',
      });
    }
    const now = settings.clock.now();
    const report = search.searchTransactions({
      startDate: new Date(now.getTime() - HOUR_MS).toISOString(),
      endDate: now.toISOString(),
    });
    const lines = await answered(reach(report));
    const disputes = await answered(get(z.object({}), 'v1/customer/disputes?page_size=1'));
    return [
      ...found,
      { about: 'Transaction Search', missing: refusedWith(lines) },
      ...(typeof lines === 'number'
        ? []
        : [
            clockCheck(
              'PayPal',
              (await report).headers.date,
              now,
              'the newest payments are compared late, or not at all',
            ),
          ]),
      { about: 'Disputes', missing: refusedWith(disputes) },
    ];
  },
});

const refusedWith = (said: unknown): string | undefined =>
  typeof said === 'number' ? `the app at PayPal lacks this feature (${said})` : undefined;

/** An answer, or the status of a refusal. */
const answered = <T>(call: Promise<T>): Promise<T | number> =>
  call.catch((error: unknown) => {
    if (error instanceof PaypalRefused) return error.status;
    throw error;
  });
