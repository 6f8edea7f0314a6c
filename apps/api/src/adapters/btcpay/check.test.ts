import { expect, test } from 'vitest';
import { unexplained } from '../../../test/payment/payments-guide.ts';
import { createBtcpayCheck } from './check.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';
import { RIGHTS } from './rights.ts';

const now = new Date('2026-11-24T12:00:00Z');
const secondsLater = (seconds: number) => new Date(now.getTime() + seconds * 1000).toUTCString();
const URL = 'https://shop.example/webhooks/btcpay';
const webhook = {
  url: URL,
  enabled: true,
  automaticRedelivery: true,
  authorizedEvents: { everything: true, specificEvents: [] as string[] },
};
type Store = {
  permissions: string[];
  methods: object[] | number;
  webhooks: object[] | number;
  rates: string[];
};
const good: Store = {
  permissions: RIGHTS.map(right => `${right}:store-1`),
  methods: [{ paymentMethodId: 'BTC-CHAIN', enabled: true }],
  webhooks: [webhook],
  rates: ['THB', 'USD'],
};

/** Missing preconditions at a server that reports this about itself, a store and its key. */
async function missingAt(about: () => Promise<object>, change: Partial<Store> = {}): Promise<string[]> {
  const { permissions, methods, webhooks, rates } = { ...good, ...change };
  const askStore = async (_: unknown, path: string) => {
    const currency = /^rates\?currencyPair=BTC_(\w+)$/.exec(path)?.[1];
    if (currency)
      return [{ currencyPair: `BTC_${currency}`, rate: rates.includes(currency) ? '2000000' : null }];
    const answer = path === 'payment-methods' ? methods : webhooks;
    if (typeof answer === 'number') throw new BtcpayRefusal(answer, 'refused');
    return answer;
  };
  const client = { about, askStore, ask: async () => ({ permissions }), settings: { storeId: 'store-1' } };
  const btcpay = client as unknown as BtcpayClient;
  const check = createBtcpayCheck(btcpay, 'https://shop.example', { now: () => now }, ['THB', 'USD']);
  const missing = (await check.run()).flatMap(({ about, missing }) =>
    missing ? [`${about}: ${missing}`] : [],
  );
  expect(unexplained(missing)).toEqual([]);
  return missing;
}
const said = (version: string, fullySynched: boolean, date: string | null) => async () => ({
  version,
  fullySynched,
  date,
});
const server = said('2.4.0', true, secondsLater(0));

test.each([
  ['good', said('2.4.0', true, secondsLater(149)), []],
  [
    'of an older API',
    said('1.13.1', true, secondsLater(0)),
    ['version: 1.13.1 is too old: this shop needs 2.1.2 or newer'],
  ],
  [
    'whose invoices lack the amount paid',
    said('2.1.1', true, secondsLater(0)),
    ['version: 2.1.1 is too old: this shop needs 2.1.2 or newer'],
  ],
  ['that is the oldest', said('2.1.2', true, secondsLater(0)), []],
  ['that is newer in its second number', said('2.10.0', true, secondsLater(0)), []],
  [
    'whose node is still synchronizing',
    said('2.4.0-rc1', false, secondsLater(0)),
    ['node: has not read all blocks: coins are seen late'],
  ],
  [
    'whose clock differs',
    said('2.4.0', true, secondsLater(-151)),
    ["clock: this machine differs by 151 s from BTCPay's clock: codes seem to end at another moment"],
  ],
  ['that sends no time', said('2.4.0', true, null), ['clock: BTCPay sent no time: not checked']],
  [
    'that knows no such key',
    () => Promise.reject(new BtcpayRefusal(401, 'Authentication required')),
    ['BTCPAY_TOKEN: BTCPay does not know it'],
  ],
])('a server %s', async (_, about, missing) => {
  expect(await missingAt(about)).toEqual(missing);
});

const LACKS = 'rights: BTCPAY_TOKEN lacks for this store:';
const store = (name: string) => `btcpay.store.${name}`;

test.each<[string, Partial<Store>, string[]]>([
  ['for all stores', { permissions: [...RIGHTS] }, []],
  ['of its owner', { permissions: [store('canmodifystoresettings')] }, []],
  ['that may do everything', { permissions: ['unrestricted'] }, []],
  [
    'with permissions that include others',
    {
      permissions: ['canviewstoresettings', 'canmodifyinvoices', 'webhooks.canmodifywebhooks']
        .concat('cancreatepullpayments')
        .map(store),
    },
    [],
  ],
  [
    'of another store',
    { permissions: RIGHTS.map(right => `${right}:another`), methods: 403, webhooks: 403 },
    [
      `${LACKS} ${RIGHTS.join(', ')}`,
      'wallet: the key may not look (canviewstoresettings): not checked',
      'webhook: the key may not look (canmodifywebhooks): not checked',
    ],
  ],
  [
    'that may not refund',
    { permissions: RIGHTS.filter(right => !right.includes('cancreatenonapproved')) },
    [`${LACKS} ${store('cancreatenonapprovedpullpayments')}`],
  ],
])('a key %s', async (_, change, missing) => {
  expect(await missingAt(server, change)).toEqual(missing);
});

test.each<[string, Partial<Store>, string[]]>([
  ['without a wallet', { methods: [] }, ['wallet: the store takes no BTC-CHAIN']],
  [
    'whose wallet is switched off',
    { methods: [{ paymentMethodId: 'BTC-CHAIN', enabled: false }] },
    ['wallet: the store takes no BTC-CHAIN'],
  ],
  [
    'BG9 without a rate in one of the currencies for sale',
    { rates: ['THB'] },
    ['rate in USD: the store has none: bitcoin is not offered in it'],
  ],
  ['that is not there', { methods: 404 }, ['wallet: BTCPay answered 404: not checked']],
  [
    'whose webhook is switched off',
    { webhooks: [{ ...webhook, enabled: false }] },
    [`webhook: no enabled webhook for ${URL}`],
  ],
  [
    'whose webhook sends some events, and once',
    {
      webhooks: [
        {
          ...webhook,
          automaticRedelivery: false,
          authorizedEvents: {
            everything: false,
            specificEvents: ['InvoiceReceivedPayment', 'InvoiceProcessing', 'InvoiceExpired'],
          },
        },
      ],
    },
    [
      'webhook events: not sent: InvoiceSettled, InvoiceInvalid, InvoicePaymentSettled',
      'webhook redelivery: is off: missed events are not sent again',
    ],
  ],
])('a store %s', async (_, change, missing) => {
  expect(await missingAt(server, change)).toEqual(missing);
});
