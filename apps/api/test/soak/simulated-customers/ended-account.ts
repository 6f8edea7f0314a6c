import { expect } from 'vitest';
import type { Simulation } from './actions.ts';
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
