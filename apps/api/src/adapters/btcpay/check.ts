import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { type Checked, clockCheck, lacking, type ProviderCheck } from '../../ports/provider-check.ts';
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

/** The first that says of an invoice what was paid of it (`paidAmount`); nothing can be read of one before. */
const OLDEST = '2.1.2';

const numbersOf = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number);
const isTooOld = (version: string): boolean => {
  const [is, least] = [numbersOf(version), numbersOf(OLDEST)];
  const at = least.findIndex((number, i) => is[i] !== number);
  return at >= 0 && !(is[at]! > least[at]!);
};

/** Key, version, node, clock, wallet and webhook of a store at a BTCPay Server. */
export const createBtcpayCheck = (
  { about, askStore }: BtcpayClient,
  publicUrl: string,
  clock: Clock,
): ProviderCheck => ({
  provider: 'btcpay',

  async run() {
    const server = await answered(about());
    if (typeof server === 'number') return [{ about: 'BTCPAY_TOKEN', missing: refusedWith(server) }];
    const { version, fullySynched, date } = server;
    if (isTooOld(version))
      return [{ about: 'version', missing: `${version} is too old: this shop needs ${OLDEST} or newer` }];
    const itself: Checked[] = [
      { about: 'version' },
      { about: 'node', missing: fullySynched ? undefined : 'has not read all blocks: coins are seen late' },
      clockCheck('BTCPay', date, clock.now(), 'codes seem to end at another moment'),
    ];
    const methods = await answered(askStore(z.array(methodShape), 'payment-methods'));
    if (typeof methods === 'number') {
      return [{ about: 'BTCPAY_TOKEN', missing: refusedWith(methods) }, ...itself];
    }
    const invoices = await answered(askStore(z.array(z.object({ id: z.string() })), 'invoices?take=1'));
    const wallet = methods.some(({ paymentMethodId, enabled }) => paymentMethodId === CHAIN && enabled);
    const webhooks = await answered(askStore(z.array(webhookShape), 'webhooks'));
    const url = `${publicUrl}/webhooks/btcpay`;
    const hook =
      typeof webhooks === 'number' ? undefined : webhooks.find(each => each.url === url && each.enabled);
    const { everything = false, specificEvents = [] } = hook?.authorizedEvents ?? {};
    return [
      { about: 'BTCPAY_TOKEN' },
      ...itself,
      {
        about: 'rights',
        missing:
          typeof invoices === 'number' ? `BTCPAY_TOKEN may not read invoices (${invoices})` : undefined,
      },
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

const refusedWith = (status: number): string =>
  status === 401 ? 'BTCPay does not know it' : `may not read the store (${status})`;

/** An answer, or the status of a refusal. */
const answered = <T>(call: Promise<T>): Promise<T | number> =>
  call.catch((error: unknown) => {
    if (error instanceof BtcpayRefusal) return error.status;
    throw error;
  });
