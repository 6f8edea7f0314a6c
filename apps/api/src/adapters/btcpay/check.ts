import { z } from 'zod';
import { lacking, type ProviderCheck } from '../../ports/provider-check.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { CHAIN } from './objects.ts';

const EVENTS = [
  'InvoiceReceivedPayment',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
  'InvoicePaymentSettled',
];

const methodShape = z.object({ paymentMethodId: z.string(), enabled: z.boolean() });
const webhookShape = z.object({
  url: z.string(),
  enabled: z.boolean(),
  authorizedEvents: z.object({ everything: z.boolean(), specificEvents: z.array(z.string()) }),
});

/** Key, wallet and webhook of a store at a BTCPay Server. */
export const createBtcpayCheck = ({ askStore }: BtcpayClient, publicUrl: string): ProviderCheck => ({
  provider: 'btcpay',

  async run() {
    const methods = await answered(askStore(z.array(methodShape), 'payment-methods'));
    if (typeof methods === 'number') {
      const missing = methods === 401 ? 'BTCPay does not know it' : `may not read the store (${methods})`;
      return [{ about: 'BTCPAY_TOKEN', missing }];
    }
    const wallet = methods.some(({ paymentMethodId, enabled }) => paymentMethodId === CHAIN && enabled);
    const webhooks = await answered(askStore(z.array(webhookShape), 'webhooks'));
    const url = `${publicUrl}/webhooks/btcpay`;
    const hook =
      typeof webhooks === 'number' ? undefined : webhooks.find(each => each.url === url && each.enabled);
    const { everything = false, specificEvents = [] } = hook?.authorizedEvents ?? {};
    return [
      { about: 'BTCPAY_TOKEN' },
      { about: 'wallet', missing: wallet ? undefined : `the store takes no ${CHAIN}` },
      typeof webhooks === 'number'
        ? { about: 'webhook', missing: 'the key may not look (canmodifywebhooks): not checked' }
        : { about: 'webhook', missing: hook ? undefined : `no enabled webhook for ${url}` },
      ...(hook
        ? [
            {
              about: 'webhook events',
              missing: everything ? undefined : lacking('not sent', EVENTS, specificEvents),
            },
          ]
        : []),
    ];
  },
});

/** An answer, or the status of a refusal. */
const answered = <T>(call: Promise<T>): Promise<T | number> =>
  call.catch((error: unknown) => {
    if (error instanceof BtcpayRefusal) return error.status;
    throw error;
  });
