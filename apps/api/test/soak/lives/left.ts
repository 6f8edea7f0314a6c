import { expect } from 'vitest';
import type { World } from './deeds.ts';
import { expectNowhere } from './devices.ts';
import type { Life } from './life.ts';

/**
 * An account that has ended: nothing of it is served, nothing is owed or charged, and nothing is kept that could be. That
 * nobody is logged in to it, and where its money is, the books say.
 */
export async function hasLeft(world: World, life: Life): Promise<void> {
  const { db } = world.shop;
  const { at } = life.known.left!;
  const { id, customer_id: customer, status } = await life.row();
  expect(status, 'nothing of an account that ended is served').toBe('expired');
  expectNowhere(world, life);
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
