import { openDatabase } from '@fixpoint/api/database/database.ts';
import type { Db } from '@fixpoint/api/ports/database.ts';
import { createDatabase, type TestDatabase } from '@fixpoint/testkit/database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  recordFee,
  recordPaid,
  recordRefund,
  recordRefundReturned,
  recordReserved,
  recordUnapplied,
} from '../../src/modules/billing/ledger.ts';

/** Constraints of the database on the ledger for every role; here with the shop's own role. */
const NOW = new Date('2026-11-20T05:00:00Z');
let database: TestDatabase;
let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await createDatabase();
  ({ db, close } = openDatabase(database.urls.app, 8));
  await db
    .insertInto('customer')
    .values({ id: 'cus_a', email: 'a@example.com', language: 'en', created_at: NOW })
    .execute();
});
afterAll(async () => {
  await close?.();
  await database?.drop();
});

type Line = { account: 'provider' | 'credit' | 'goodwill' | 'revenue'; amount: number; currency?: string };
const book = (txn: string, ...lines: Line[]) =>
  db
    .insertInto('ledger_entry')
    .values(
      lines.map(({ account, amount, currency = 'THB' }, position) => ({
        txn,
        position,
        account,
        amount,
        currency,
        created_at: NOW,
        provider: account === 'provider' ? 'stripe' : null,
        customer_id: account === 'credit' ? 'cus_a' : null,
      })),
    )
    .execute();
const goodwill = (txn: string, amount: number) =>
  book(txn, { account: 'goodwill', amount }, { account: 'credit', amount: -amount });
const use = (txn: string, amount: number) =>
  book(txn, { account: 'credit', amount }, { account: 'revenue', amount: -amount });
const credit = async () =>
  (
    await db
      .selectFrom('account_credit')
      .select('amount')
      .where('customer_id', '=', 'cus_a')
      .executeTakeFirst()
  )?.amount;
const sums = async (prefix: string) => {
  const rows = await db
    .selectFrom('ledger_entry')
    .select(['account', eb => eb.fn.sum<number>('amount').as('sum')])
    .where('txn', 'like', `%${prefix}`)
    .groupBy('account')
    .execute();
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]));
};

describe('FM3 the database refuses', () => {
  test('a transaction that does not balance in each of its currencies', async () => {
    const unbalanced = /does not balance/;
    await expect(book('lone', { account: 'provider', amount: 1 })).rejects.toThrow(unbalanced);
    await expect(
      book('mixed', { account: 'provider', amount: 5 }, { account: 'revenue', amount: -5, currency: 'EUR' }),
    ).rejects.toThrow(unbalanced);
    // Also in parts: adding entries cannot unbalance a transaction.
    await book('part', { account: 'provider', amount: 5 }, { account: 'revenue', amount: -5 });
    const more = db.insertInto('ledger_entry').values({
      txn: 'part',
      position: 2,
      account: 'provider',
      provider: 'stripe',
      amount: 1,
      currency: 'THB',
      created_at: NOW,
    });
    await expect(more.execute()).rejects.toThrow(unbalanced);
  });

  test("a change or deletion of entries, by the shop and by the tables' owner", async () => {
    await book('credited', { account: 'provider', amount: 7 }, { account: 'revenue', amount: -7 });
    const owner = openDatabase(database.urls.owner);
    for (const [who, says] of [
      [db, /permission denied/],
      [owner.db, /only added to/],
    ] as const) {
      await expect(
        who.updateTable('ledger_entry').set({ amount: 8 }).where('txn', '=', 'credited').execute(),
      ).rejects.toThrow(says);
      await expect(who.deleteFrom('ledger_entry').where('txn', '=', 'credited').execute()).rejects.toThrow(
        says,
      );
    }
    await owner.close();
    expect(await sums('credited')).toEqual({ provider: 7, revenue: -7 });
  });

  test('credit below zero, also under concurrent use', async () => {
    await expect(use('early', 1)).rejects.toThrow(/account_credit/);
    await goodwill('gift', 1_000);
    expect(await credit()).toBe(1_000);
    const used = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => use(`race${n}`, 300)));
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await credit()).toBe(100);
    await expect(db.updateTable('account_credit').set({ amount: 1_000_000 }).execute()).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('an entry in the books', () => {
  const money = { provider: 'stripe', currency: 'THB', amount: 199_00 };

  // Regression: with both accounts swapped no test failed.
  test('FC16 has VAT as VAT and revenue as revenue', async () => {
    const invoice = { id: 'inv_vat', net: 185_98, vat: 13_02, creditUsed: 0, prepaid: 0, prorated: 0 };
    await recordPaid(db, NOW, invoice, money);
    expect(await sums('inv_vat')).toEqual({ provider: 199_00, revenue: -185_98, vat: -13_02 });
  });

  test('exists once, however often it is recorded', async () => {
    for (let n = 0; n < 2; n += 1) {
      await recordUnapplied(db, NOW, { id: 'att_1', unapplied: 0 }, money);
      await recordFee(db, NOW, 'att_1', { ...money, amount: 17_26 });
    }
    expect(await sums('att_1')).toEqual({ provider: 181_74, refundsDue: -199_00, fees: 17_26 });
    // A second transfer is additional money.
    for (let n = 0; n < 2; n += 1) await recordUnapplied(db, NOW, { id: 'att_1', unapplied: 199_00 }, money);
    expect(await sums('att_1:19900')).toEqual({ provider: 199_00, refundsDue: -199_00 });
  });

  test('FM2 of a returned refund is due again', async () => {
    await recordRefund(db, NOW, 'ref_1', money);
    expect(await sums('ref_1')).toEqual({ provider: -199_00, refundsDue: 199_00 });
    await recordRefundReturned(db, NOW, 'ref_1', money);
    expect(await sums('ref_1')).toEqual({ provider: 0, refundsDue: 0 });
  });

  test('of an invoice that used credit has less money and less credit', async () => {
    await goodwill('gift-2', 20_00);
    const before = (await credit())!;
    const invoice = { id: 'inv_credit', net: 185_98, vat: 13_02, creditUsed: 20_00, prepaid: 0, prorated: 0 };
    await recordReserved(db, NOW, invoice, { customerId: 'cus_a', currency: 'THB', amount: 20_00 });
    expect(await credit()).toBe(before - 20_00);
    await recordPaid(db, NOW, invoice, { ...money, amount: 179_00 });
    expect(await sums('inv_credit')).toEqual({
      provider: 179_00,
      credit: 20_00,
      reserved: 0,
      revenue: -185_98,
      vat: -13_02,
    });
    expect(await credit()).toBe(before - 20_00);
  });
});
