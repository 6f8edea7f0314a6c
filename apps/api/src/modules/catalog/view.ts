import { periodEnd } from '@fixpoint/domain/kernel/bangkok.ts';
import { withVat } from '@fixpoint/domain/kernel/money.ts';
import { chargeAt } from '@fixpoint/domain/subscription/renewal.ts';
import type { Db } from '../../ports/database.ts';
import { hasRoom } from './has-room.ts';
import type { Quote } from './quote.ts';

/** Currencies that an active plan has a price in. */
export async function soldCurrencies(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_price')
    .innerJoin('plan', 'plan.id', 'plan_price.plan_id')
    .select('plan_price.currency')
    .distinct()
    .where('plan.active', '=', true)
    .orderBy('plan_price.currency')
    .execute();
  return rows.map(({ currency }) => currency);
}

/** Plans of a category with prices in a currency, with all their cycles. */
export async function plansView(db: Db, category: string, currency: string, vatRateBp: number) {
  const plans = await db
    .selectFrom('plan')
    .selectAll()
    .where('category', '=', category)
    .where('active', '=', true)
    .orderBy('position')
    .execute();
  const prices = await db.selectFrom('plan_price').selectAll().orderBy('cycle_count').execute();
  return {
    currencies: [...new Set(prices.map(price => price.currency))].sort(),
    plans: plans
      .map(plan => ({
        id: plan.id,
        category: plan.category,
        devices: plan.devices,
        dataTransferGb: plan.data_transfer_gb,
        rateMbit: plan.rate_mbit,
        portForward: plan.port_forward,
        prices: prices
          .filter(price => price.plan_id === plan.id && price.currency === currency)
          .map(price => ({
            cycleCount: price.cycle_count as 1 | 3 | 6 | 12,
            ...withVat(currency, price.price, vatRateBp),
            renewal: price.renewal,
            firstYear: price.cycle_count === 12 && price.price < price.renewal,
          })),
      }))
      .filter(plan => plan.prices.length > 0),
  };
}

/** Places where plans can run, filtered by the choice so far. An offer with room or a waiting list is available. */
export async function placesView(
  db: Db,
  now: Date,
  filter: { provider?: string; region?: string; vendor?: string },
) {
  let query = db
    .selectFrom('offer')
    .select([
      'offer.provider_id as providerId',
      'offer.region_id as regionId',
      'offer.vendor_id as vendorId',
      hasRoom(now).as('free'),
      'offer.waiting_list as waitingList',
    ])
    .where('offer.active', '=', true);
  if (filter.provider) query = query.where('offer.provider_id', '=', filter.provider);
  if (filter.region) query = query.where('offer.region_id', '=', filter.region);
  if (filter.vendor) query = query.where('offer.vendor_id', '=', filter.vendor);
  const offers = await query.orderBy('offer.region_id').orderBy('offer.provider_id').execute();
  const [providers, regions, vendors] = await Promise.all([
    db.selectFrom('provider').selectAll().orderBy('name').execute(),
    db.selectFrom('region').selectAll().orderBy('name').execute(),
    db.selectFrom('vendor').selectAll().orderBy('name').execute(),
  ]);
  const used = (key: 'providerId' | 'regionId' | 'vendorId') => new Set(offers.map(offer => offer[key]));
  const [usedProviders, usedRegions, usedVendors] = [used('providerId'), used('regionId'), used('vendorId')];
  return {
    providers: providers.filter(provider => usedProviders.has(provider.id)),
    regions: regions.filter(region => usedRegions.has(region.id)),
    vendors: vendors.filter(vendor => usedVendors.has(vendor.id)),
    offers: offers.map(({ free, waitingList, ...place }) => ({
      ...place,
      available: free || waitingList,
      waits: !free && waitingList,
    })),
  };
}

/** Price of a product now and at renewal. @param renewsAt start of its next cycle */
export const pricedView = (
  { product, currency, price, net, vat, vatRateBp, renewal, firstYear }: Quote,
  now: Date,
  renewsAt: Date = periodEnd(now, product.cycleCount),
) => ({
  product,
  total: { currency, price, net, vat },
  vatRate: vatRateBp / 10_000,
  renewal,
  firstYear,
  renewsAt: renewsAt.toISOString(),
  billedAt: chargeAt({ start: now, end: renewsAt }).toISOString(),
});
