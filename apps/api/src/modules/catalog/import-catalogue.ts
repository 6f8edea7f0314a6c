import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { type Catalogue, CatalogueFault, pricesOf, productIdOf } from './check-catalogue.ts';
import { readCatalogue } from './read-catalogue.ts';
import { writeVatRates } from './vat-rates.ts';

/**
 * Replaces the catalogue. Orders and subscriptions keep their own price and plan. Deactivates what is no longer for
 * sale instead of deleting it, because they refer to it.
 * @param before catalogue that the operator was shown as present
 * @throws CatalogueFault when the present catalogue is another one
 */
export async function importCatalogue(db: Db, before: Catalogue, after: Catalogue): Promise<void> {
  await db.transaction().execute(async tx => {
    // One at a time: concurrent imports would deactivate each other's products.
    await sql`select pg_advisory_xact_lock(hashtextextended('catalogue', 0))`.execute(tx);
    if (!isDeepStrictEqual(await readCatalogue(tx), before))
      throw new CatalogueFault('Nothing changed: somebody else changed the catalogue meanwhile. Try again.');
    await writeVatRates(tx, after.vat);
    await writePlaces(tx, after);
    await writePlans(tx, after);
    await addProducts(tx, after);
  });
}

async function writePlaces(tx: Db, { providers, vendors, regions, places }: Catalogue): Promise<void> {
  await tx
    .insertInto('provider')
    .values(Object.entries(providers).map(([id, name]) => ({ id, name })))
    .onConflict(on => on.column('id').doUpdateSet(row => ({ name: row.ref('excluded.name') })))
    .execute();
  await tx
    .insertInto('vendor')
    .values(Object.entries(vendors).map(([id, name]) => ({ id, name })))
    .onConflict(on => on.column('id').doUpdateSet(row => ({ name: row.ref('excluded.name') })))
    .execute();
  await tx
    .insertInto('region')
    .values(Object.entries(regions).map(([id, region]) => ({ id, ...region })))
    .onConflict(on =>
      on.column('id').doUpdateSet(row => ({
        name: row.ref('excluded.name'),
        country: row.ref('excluded.country'),
        latitude: row.ref('excluded.latitude'),
        longitude: row.ref('excluded.longitude'),
      })),
    )
    .execute();
  await tx.updateTable('offer').set({ active: false }).execute();
  await tx
    .insertInto('offer')
    .values(
      places.map(({ provider, region, vendor, waitingList }) => ({
        provider_id: provider,
        region_id: region,
        vendor_id: vendor,
        active: true,
        waiting_list: waitingList,
      })),
    )
    .onConflict(on =>
      on.columns(['provider_id', 'region_id', 'vendor_id']).doUpdateSet(row => ({
        active: true,
        waiting_list: row.ref('excluded.waiting_list'),
      })),
    )
    .execute();
}

async function writePlans(tx: Db, { plans }: Catalogue): Promise<void> {
  await tx.updateTable('plan').set({ active: false }).execute();
  await tx
    .insertInto('plan')
    .values(
      Object.entries(plans).map(([id, plan], position) => ({
        id,
        category: plan.category,
        position,
        devices: plan.devices,
        data_transfer_gb: plan.dataTransferGb,
        rate_mbit: plan.rateMbit,
        port_forward: plan.portForward,
        active: true,
      })),
    )
    .onConflict(on =>
      on.column('id').doUpdateSet(row => ({
        category: row.ref('excluded.category'),
        position: row.ref('excluded.position'),
        devices: row.ref('excluded.devices'),
        data_transfer_gb: row.ref('excluded.data_transfer_gb'),
        rate_mbit: row.ref('excluded.rate_mbit'),
        port_forward: row.ref('excluded.port_forward'),
        active: true,
      })),
    )
    .execute();
  await tx.deleteFrom('plan_price').execute();
  await tx
    .insertInto('plan_price')
    .values(
      Object.entries(plans).flatMap(([plan_id, { prices }]) =>
        pricesOf(prices).map(({ currency, cycle, price, renewal }) => ({
          plan_id,
          currency,
          cycle_count: cycle,
          price,
          renewal,
        })),
      ),
    )
    .execute();
}

/** Adds a product for every plan, place and priced cycle. An existing product keeps its ID. */
async function addProducts(tx: Db, { plans, places }: Catalogue): Promise<void> {
  const products = Object.entries(plans).flatMap(([planId, { prices }]) =>
    [...new Set(pricesOf(prices).map(({ cycle }) => cycle))].flatMap(cycle =>
      places.map(place => ({
        id: productIdOf(planId, cycle, place),
        plan_id: planId,
        cycle_count: cycle,
        provider_id: place.provider,
        region_id: place.region,
        vendor_id: place.vendor,
      })),
    ),
  );
  await refuseTakenIds(tx, products);
  await tx
    .insertInto('product')
    .values(products)
    .onConflict(on =>
      on.columns(['plan_id', 'cycle_count', 'provider_id', 'region_id', 'vendor_id']).doNothing(),
    )
    .execute();
}

type Product = {
  id: string;
  plan_id: string;
  cycle_count: number;
  provider_id: string;
  region_id: string;
  vendor_id: string;
};

/** An ID that another product of an earlier catalogue has stays that one's: orders refer to it. */
async function refuseTakenIds(tx: Db, products: readonly Product[]): Promise<void> {
  const parts = ['plan_id', 'cycle_count', 'provider_id', 'region_id', 'vendor_id'] as const;
  const wanted = new Map(products.map(product => [product.id, product]));
  const stored = await tx
    .selectFrom('product')
    .select(['id', ...parts])
    .where('id', 'in', [...wanted.keys()])
    .execute();
  const taken = stored.filter(({ id, ...has }) => parts.some(part => wanted.get(id)![part] !== has[part]));
  if (taken.length > 0)
    throw new CatalogueFault(
      `Nothing changed. Products of an earlier catalogue have these IDs; change the ID of a plan or place: ${taken.map(({ id }) => id).join(', ')}`,
    );
}
