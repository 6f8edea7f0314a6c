import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckoutDeps } from '../src/modules/checkout/deps.ts';
import { keepExcessDuty } from '../src/modules/checkout/keep-excess.ts';
import { openPayments, type Payments } from './payment-rows.ts';

let pays: Payments;
beforeAll(async () => {
  pays = await openPayments();
});
afterAll(() => pays?.rows.places.stop());

test('X15 FC6 coins become credit, however many payments of the month were settled before them', async () => {
  const { all, clock } = pays.rows.places;
  const late = await pays.rows.draft(null);
  await all.updateTable('invoice').set({ order_id: null, status: 'void' }).execute();
  await sql`insert into invoice select other.* from invoice, generate_series(1, 600) n,
      jsonb_populate_record(invoice, jsonb_build_object('id', 'inv_' || n, 'reference', 'R-' || n)) other`.execute(
    all,
  );
  const cameForNothing = (which: RawBuilder<boolean>) =>
    sql`insert into attempt (id, invoice_id, attempt_no, method, status, currency, amount, received, excess,
        created_at, updated_at)
      select 'att_' || id, id, 1, 'bitcoin', 'succeeded', 'THB', 100, 100, 100, ${clock.now()}, ${clock.now()}
      from invoice where ${which}`.execute(all);
  await cameForNothing(sql`id <> ${late}`);
  await sql`insert into refund (id, attempt_id, currency, amount, reason, status, created_at, updated_at)
    select 'ref_' || id, id, 'THB', 100, 'excess', 'succeeded', updated_at, updated_at from attempt`.execute(
    all,
  );
  clock.advance(60_000);
  await cameForNothing(sql`id = ${late}`);
  await pays.run(() => keepExcessDuty(pays.deps as unknown as CheckoutDeps).run());
  expect(pays.jobs).toEqual([{ name: 'keepExcess', data: { invoiceId: late } }]);
});
