import type { Db } from '../../ports/database.ts';
import type { Catalogue } from './check-catalogue.ts';
import { readVatRates } from './vat-rates.ts';

/** Reads the present catalogue, without what is no longer for sale. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  // Sequential, because a transaction has one connection.
  const vat = await readVatRates(db);
  const providers = await db.selectFrom('provider').selectAll().orderBy('id').execute();
  const vendors = await db.selectFrom('vendor').selectAll().orderBy('id').execute();
  const regions = await db.selectFrom('region').selectAll().orderBy('id').execute();
  const offers = await db
    .selectFrom('offer')
    .selectAll()
    .where('active', '=', true)
    .orderBy('region_id')
    .orderBy('provider_id')
    .orderBy('vendor_id')
    .execute();
  const plans = await db
    .selectFrom('plan')
    .selectAll()
    .where('active', '=', true)
    .orderBy('position')
    .execute();
  const prices = await db
    .selectFrom('plan_price')
    .selectAll()
    .orderBy('currency')
    .orderBy('cycle_count')
    .execute();
  const places = offers.map(offer => ({
    provider: offer.provider_id,
    region: offer.region_id,
    vendor: offer.vendor_id,
    waitingList: offer.waiting_list,
  }));
  const used = <R extends { id: string }>(rows: R[], kind: 'provider' | 'region' | 'vendor') =>
    rows.filter(({ id }) => places.some(place => place[kind] === id));
  return {
    vat,
    providers: Object.fromEntries(used(providers, 'provider').map(({ id, name }) => [id, name])),
    vendors: Object.fromEntries(used(vendors, 'vendor').map(({ id, name }) => [id, name])),
    regions: Object.fromEntries(used(regions, 'region').map(({ id, ...region }) => [id, region])),
    places,
    plans: Object.fromEntries(
      plans.map(plan => [
        plan.id,
        {
          category: plan.category,
          devices: plan.devices,
          dataTransferGb: plan.data_transfer_gb,
          rateMbit: plan.rate_mbit,
          portForward: plan.port_forward,
          prices: pricesIn(prices.filter(price => price.plan_id === plan.id)),
        },
      ]),
    ),
  };
}

type Price = { currency: string; cycle_count: number; price: number; renewal: number };

/** Currency → cycle → price. */
function pricesIn(rows: Price[]): Catalogue['plans'][string]['prices'] {
  const found: Record<string, Record<number, { price: number; renewal: number }>> = {};
  for (const { currency, cycle_count: cycle, price, renewal } of rows)
    found[currency] = { ...found[currency], [cycle]: { price, renewal } };
  return found;
}
