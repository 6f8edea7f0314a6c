import { z } from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { type Checked, clockCheck, lacking, type ProviderCheck } from '../../ports/provider-check.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { CHAIN } from './objects.ts';
import { hasRate } from './rates.ts';
import { rightsLacking } from './rights.ts';

const EVENTS = [
  'InvoiceReceivedPayment',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
  'InvoicePaymentSettled',
];

const keyShape = z.object({ permissions: z.array(z.string()) });
const methodShape = z.object({ paymentMethodId: z.string(), enabled: z.boolean() });
const webhookShape = z.object({
  url: z.string(),
  enabled: z.boolean(),
  automaticRedelivery: z.boolean(),
  authorizedEvents: z.object({ everything: z.boolean(), specificEvents: z.array(z.string()) }),
});

/** The first version whose invoices contain the amount paid (`paidAmount`). */
const OLDEST = '2.1.2';

const numbersOf = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number);
const isTooOld = (version: string): boolean => {
  const [is, least] = [numbersOf(version), numbersOf(OLDEST)];
  const at = least.findIndex((number, i) => is[i] !== number);
  return at >= 0 && !(is[at]! > least[at]!);
};

/**
 * Checks key, rights, version, node, clock, wallet, webhook and rates of a store at a BTCPay Server.
 * @param currencies for sale; each needs a rate of bitcoin
 */
export const createBtcpayCheck = (
  client: BtcpayClient,
  publicUrl: string,
  clock: Clock,
  currencies: readonly string[],
): ProviderCheck => ({
  provider: 'btcpay',

  async run() {
    const { about, ask, settings } = client;
    const server = await answered(about());
    if (typeof server === 'number') return [key(refusedWith(server))];
    const { version, fullySynched, date } = server;
    if (isTooOld(version))
      return [{ about: 'version', missing: `${version} is too old: this shop needs ${OLDEST} or newer` }];
    const known = await answered(ask(keyShape, 'api-keys/current'));
    if (typeof known === 'number') return [key(refusedWith(known))];
    const lacks = rightsLacking(known.permissions, settings.storeId);
    return [
      key(),
      { about: 'version' },
      { about: 'node', missing: fullySynched ? undefined : 'has not read all blocks: coins are seen late' },
      clockCheck('BTCPay', date, clock.now(), 'codes seem to end at another moment'),
      {
        about: 'rights',
        missing: lacks.length > 0 ? `BTCPAY_TOKEN lacks for this store: ${lacks.join(', ')}` : undefined,
      },
      await wallet(client),
      ...(await webhook(client, `${publicUrl}/webhooks/btcpay`)),
      ...(await Promise.all(currencies.map(currency => rate(client, currency)))),
    ];
  },
});

const key = (missing?: string): Checked => ({ about: 'BTCPAY_TOKEN', missing });

const refusedWith = (status: number): string =>
  status === 401 ? 'BTCPay does not know it' : `BTCPay answered ${status}`;

/** Why something could not be checked. */
const unseen = (status: number, right: string): string =>
  status === 403 ? `the key may not look (${right}): not checked` : `BTCPay answered ${status}: not checked`;

async function wallet({ askStore }: BtcpayClient): Promise<Checked> {
  const about = 'wallet';
  const methods = await answered(askStore(z.array(methodShape), 'payment-methods'));
  if (typeof methods === 'number') return { about, missing: unseen(methods, 'canviewstoresettings') };
  const there = methods.some(({ paymentMethodId, enabled }) => paymentMethodId === CHAIN && enabled);
  return { about, missing: there ? undefined : `the store takes no ${CHAIN}` };
}

async function rate(client: BtcpayClient, currency: string): Promise<Checked> {
  const about = `rate in ${currency}`;
  const known = await answered(hasRate(client, currency));
  if (typeof known === 'number') return { about, missing: unseen(known, 'canviewstoresettings') };
  return { about, missing: known ? undefined : 'the store has none: bitcoin is not offered in it' };
}

async function webhook({ askStore }: BtcpayClient, url: string): Promise<Checked[]> {
  const about = 'webhook';
  const webhooks = await answered(askStore(z.array(webhookShape), 'webhooks'));
  if (typeof webhooks === 'number') return [{ about, missing: unseen(webhooks, 'canmodifywebhooks') }];
  const hook = webhooks.find(each => each.url === url && each.enabled);
  if (!hook) return [{ about, missing: `no enabled webhook for ${url}` }];
  const { everything, specificEvents } = hook.authorizedEvents;
  return [
    { about },
    {
      about: 'webhook events',
      missing: everything ? undefined : lacking('not sent', EVENTS, specificEvents),
    },
    {
      about: 'webhook redelivery',
      missing: hook.automaticRedelivery ? undefined : 'is off: missed events are not sent again',
    },
  ];
}

/** An answer, or the status of a refusal. */
const answered = <T>(call: Promise<T>): Promise<T | number> =>
  call.catch((error: unknown) => {
    if (error instanceof BtcpayRefusal) return error.status;
    throw error;
  });
