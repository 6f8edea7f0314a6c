import { sql } from 'kysely';
import { expect } from 'vitest';
import { moneyOf, type Simulation } from './actions.ts';
import type { Simulated } from './customer.ts';
import { expectNowhere } from './devices.ts';

/**
 * Expects of an ended account that nothing is served, due, chargeable or saved. The books check its money; other tests check
 * its sessions.
 */
export async function expectEndedAccount(simulation: Simulation, simulated: Simulated): Promise<void> {
  const { db } = simulation.shop;
  const { at } = simulated.known.left!;
  const { id, customer_id: customer, status } = await simulated.row();
  expect(status, 'nothing of an account that ended is served').toBe('expired');
  expectNowhere(simulation, simulated);
  const address = db.selectFrom('static_ip').select('address').where('subscription_id', '=', id);
  expect(await address.execute(), 'its address is given up').toEqual([]);
  const kept = db.selectFrom('saved_method').select('id').where('customer_id', '=', customer);
  expect(await kept.execute(), 'no chargeable method is saved').toEqual([]);
  const owed = db
    .selectFrom('invoice')
    .select(['id', 'status'])
    .where('customer_id', '=', customer)
    .where('status', 'in', ['draft', 'open']);
  expect(await owed.execute(), 'nothing is owed').toEqual([]);
  const begun = db
    .selectFrom('attempt')
    .select('id')
    .where('customer_id', '=', customer)
    .where('created_at', '>', at);
  expect(await begun.execute(), 'nothing is charged').toEqual([]);
}

/** All credit of a customer by the ledger, with what their unpaid orders and invoices have reserved of it. */
export async function creditLeftOf({ shop }: Simulation, simulated: Simulated): Promise<number> {
  const { customer_id: customer } = await simulated.row();
  const { rows } = await sql<{ left: number }>`
    select coalesce(sum(-amount), 0)::bigint as left from ledger_entry
    where account = 'credit' and customer_id = ${customer} or account = 'reserved'
      and split_part(txn, ':', 2) in (select id from invoice where customer_id = ${customer} and status <> 'paid')`.execute(
    shop.db,
  );
  return rows[0]!.left;
}

/**
 * Expects that all credit went back as money when the account ended: nobody here is given goodwill. What no payment can take
 * back is named by an alert, and only after an earlier refund or a dispute.
 */
export async function expectCreditEnded(
  simulation: Simulation,
  simulated: Simulated,
  before: { money: number; credit: number },
): Promise<void> {
  const { db } = simulation.shop;
  const { customer_id: customer } = await simulated.row();
  const left = await creditLeftOf(simulation, simulated);
  const back = before.money - (await moneyOf(simulation, simulated));
  expect(back + left, 'the credit comes back as money, and nothing else').toBe(before.credit);
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum((what ->> 'amount')::bigint), 0)::bigint as amount from open_alert
    where kind = 'credit.unclaimed' and subject like ${`${customer}:%`}`.execute(db);
  expect(left, 'staff hear of what cannot come back').toBe(rows[0]!.amount);
  const { rows: reasons } = await sql`
    select attempt.id from attempt where customer_id = ${customer} and (
      exists (select from dispute where attempt_id = attempt.id) or
      exists (select from refund where attempt_id = attempt.id))`.execute(db);
  if (reasons.length === 0) expect(left, 'nothing hinders it').toBe(0);
}
