import { ApiError } from '@paypal/paypal-server-sdk';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { createPaypalBooks } from './books.ts';
import { type PaypalClient, PaypalRefused } from './client.ts';
import { disputesSince } from './disputes.ts';
import { allLines } from './transactions.ts';

const now = new Date('2026-11-24T12:00:00Z');
const line = (code: string, value: string, transactionStatus = 'S') => ({
  transactionInfo: {
    transactionId: `${code} ${value}`,
    transactionEventCode: code,
    transactionStatus,
    transactionAmount: { currencyCode: 'THB', value },
  },
});

/** @param said the account's answer, or the status of a refusal */
function books(said: object | number, lines: object[] = []) {
  const client = {
    get: async (_: unknown, path: string) => {
      if (!path.startsWith('v1/reporting/balances?as_of_time=')) return { items: [], links: [] };
      if (typeof said === 'number') throw new PaypalRefused({ statusCode: said, body: '{}' });
      return said;
    },
    search: { searchTransactions: async () => ({ result: { transactionDetails: lines }, headers: {} }) },
    settings: { clock: { now: () => now } },
  };
  return createPaypalBooks(client as unknown as PaypalClient);
}

test('movements other than payments, refunds and disputes have a kind and an id', async () => {
  const lines = [
    line('T0006', '199.00'),
    line('T0400', '-150.00'),
    line('T0400', '-9.00', 'P'),
    line('T0401', '20.00'),
    line('T0100', '-5.00'),
    line('T0200', '-30.00'),
    line('T2103', '-7.00'),
    line('T1900', '1.00'),
  ];
  const { movements } = await books({ balances: [] }, lines).read(new Date(now.getTime() - 86_400_000));
  expect(movements.map(({ kind, category, net }) => [kind, category, net])).toEqual([
    ['payment', 'T0006', 199_00],
    ['payout', 'T0400', -150_00],
    ['payoutReturned', 'T0401', 20_00],
    ['bill', 'T0100', -5_00],
    ['exchange', 'T0200', -30_00],
    ['reserve', 'T2103', -7_00],
    ['adjustment', 'T1900', 1_00],
  ]);
  expect(new Set(movements.map(({ id }) => id)).size).toBe(movements.length);
});

test('PayPal’s balance is read by currency, if the app may', async () => {
  const balances = [
    { currency: 'THB', total_balance: { currency_code: 'THB', value: '49.00' } },
    { currency: 'JPY', total_balance: { currency_code: 'JPY', value: '300' } },
  ];
  const since = new Date(now.getTime() - 86_400_000);
  const sums = { THB: 49_00, JPY: 300_00 };
  expect((await books({ balances }).read(since, true)).held).toEqual({ now: sums, before: sums });
  expect((await books(403).read(since, true)).held).toBe('forbidden');
  expect((await books({ balances }).read(since)).held).toBeUndefined();
});

test('all disputes are read, page by page', async () => {
  const pages = [['PP-1', 'PP-2'], ['PP-3', 'PP-4'], ['PP-5']];
  const list = 'https://api-m.paypal.com/v1/customer/disputes';
  const get = async (shape: z.ZodType, path: string) => {
    const at = Number(new URL(path, list).searchParams.get('next_page_token') ?? 0);
    const next = { rel: 'next', href: `${list}?next_page_token=${at + 1}` };
    return shape.parse({
      items: pages[at]!.map(dispute_id => ({ dispute_id })),
      links: at + 1 < pages.length ? [{ rel: 'self', href: list }, next] : [],
    });
  };
  const client = { get, settings: { clock: { now: () => now } } } as unknown as PaypalClient;
  expect(await disputesSince(client, new Date(now.getTime() - 86_400_000))).toEqual(pages.flat());
});

test('a month with more movements than PayPal lists at once is read in parts, each line once', async () => {
  const month = Array.from({ length: 30 }, (_, day) => ({
    at: now.getTime() - (day + 0.5) * 86_400_000,
    transactionInfo: { transactionId: `T${day}`, transactionEventCode: 'T0006' },
  }));
  const tooLarge = { name: 'RESULTSET_TOO_LARGE', message: 'Change the filter criteria', maximum_items: 8 };
  const searchTransactions = async ({ startDate, endDate }: Record<'startDate' | 'endDate', string>) => {
    const found = month.filter(({ at }) => at >= Date.parse(startDate) && at <= Date.parse(endDate));
    if (found.length > 8)
      throw Object.assign(Object.create(ApiError.prototype), {
        statusCode: 400,
        body: JSON.stringify(tooLarge),
      });
    return { result: { transactionDetails: found, totalPages: 1 } };
  };
  const client = { search: { searchTransactions }, settings: { clock: { now: () => now } } };
  const { lines } = await allLines(
    client as unknown as PaypalClient,
    new Date(now.getTime() - 30 * 86_400_000),
  );
  expect(lines.map(({ transactionId }) => transactionId).sort()).toEqual(
    month.map(({ transactionInfo }) => transactionInfo.transactionId).sort(),
  );
});
