import { expect } from 'vitest';
import type { Simulation } from './actions.ts';
import type { Simulated } from './customer.ts';
import { expectNowhere } from './devices.ts';

/**
 * An account that has ended: nothing of it is served, nothing is owed or charged, and nothing is kept that could be. That
 * nobody is logged in to it, and where its money is, the books say.
 */
export async function hasLeft(simulation: Simulation, simulated: Simulated): Promise<void> {
  const { db } = simulation.shop;
  const { at } = simulated.known.left!;
  const { id, customer_id: customer, status } = await simulated.row();
  expect(status, 'nothing of an account that ended is served').toBe('expired');
  expectNowhere(simulation, simulated);
  const address = db.selectFrom('static_ip').select('address').where('subscription_id', '=', id);
  expect(await address.execute(), 'its address is given up').toEqual([]);
  const kept = db.selectFrom('saved_method').select('id').where('customer_id', '=', customer);
  expect(await kept.execute(), 'nothing is kept that could be charged').toEqual([]);
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
