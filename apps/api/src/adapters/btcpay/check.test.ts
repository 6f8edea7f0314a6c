import { expect, test } from 'vitest';
import { createBtcpayCheck } from './check.ts';
import { type BtcpayClient, BtcpayRefusal } from './client.ts';

const now = new Date('2026-11-24T12:00:00Z');
const wallet = [{ paymentMethodId: 'BTC-CHAIN', enabled: true }];
const secondsLater = (seconds: number) => new Date(now.getTime() + seconds * 1000).toUTCString();

/** What is missing at a server that says this of itself. */
async function missingAt(about: () => Promise<object>): Promise<string[]> {
  const askStore = async (_: unknown, path: string) => (path === 'payment-methods' ? wallet : []);
  const client = { about, askStore };
  const check = createBtcpayCheck(client as unknown as BtcpayClient, 'https://shop.example', {
    now: () => now,
  });
  return (await check.run()).flatMap(({ about, missing }) => (missing ? [`${about}: ${missing}`] : []));
}
const said = (version: string, fullySynched: boolean, date: string | null) => async () => ({
  version,
  fullySynched,
  date,
});
const NO_WEBHOOK = 'webhook: no enabled webhook for https://shop.example/webhooks/btcpay';

test.each([
  ['good', said('2.4.0', true, secondsLater(149)), []],
  [
    'of an older API',
    said('1.13.1', true, secondsLater(0)),
    ['version: 1.13.1 is too old: this shop needs 2.1.2 or newer'],
  ],
  [
    'whose invoices do not say what was paid of them',
    said('2.1.1', true, secondsLater(0)),
    ['version: 2.1.1 is too old: this shop needs 2.1.2 or newer'],
  ],
  ['that is the oldest', said('2.1.2', true, secondsLater(0)), []],
  ['that is newer in its second number', said('2.10.0', true, secondsLater(0)), []],
  [
    'whose node reads still',
    said('2.4.0-rc1', false, secondsLater(0)),
    ['node: has not read all blocks: coins are seen late'],
  ],
  [
    'whose clock is elsewhere',
    said('2.4.0', true, secondsLater(-151)),
    ["clock: this machine is 151 s away from BTCPay's clock: codes seem to end at another moment"],
  ],
  ['that says no time', said('2.4.0', true, null), ['clock: BTCPay did not say its time: not checked']],
  [
    'that knows no such key',
    () => Promise.reject(new BtcpayRefusal(401, 'Authentication required')),
    ['BTCPAY_TOKEN: BTCPay does not know it'],
  ],
])('a server %s', async (_, about, missing) => {
  const found = await missingAt(about);
  expect(found.filter(each => each !== NO_WEBHOOK)).toEqual(missing);
});
