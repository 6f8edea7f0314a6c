import type { Db } from '../../ports/database.ts';

/** Monthly prices in hundredths, VAT included; a longer cycle is cheaper by these shares. */
const plans = [
  { id: 'solo', devices: 2, dataTransferGb: 500, rateMbit: 50, THB: 19_900, USD: 599 },
  { id: 'plus', devices: 5, dataTransferGb: 1000, rateMbit: 100, THB: 32_900, USD: 999 },
  { id: 'team', devices: 15, dataTransferGb: 3000, rateMbit: 300, THB: 69_900, USD: 2099 },
] as const;
const cycles = [
  { months: 1, share: 1, firstYearShare: 1 },
  { months: 3, share: 0.95, firstYearShare: 0.95 },
  { months: 6, share: 0.9, firstYearShare: 0.9 },
  { months: 12, share: 0.8, firstYearShare: 0.65 },
] as const;
const regions = [
  { id: 'th-bkk', name: 'Bangkok', country: 'TH', latitude: 13.76, longitude: 100.5 },
  { id: 'sg-sin', name: 'Singapore', country: 'SG', latitude: 1.35, longitude: 103.82 },
  { id: 'jp-tyo', name: 'Tokyo', country: 'JP', latitude: 35.68, longitude: 139.69 },
] as const;

/** Whole units of the currency, so that prices read well. */
const nice = (minor: number) => Math.round(minor / 100) * 100;

/** Fills an empty catalogue with plans, places and prices to try the shop with. Changes nothing in a filled one. */
export async function seedDemoCatalog(db: Db): Promise<void> {
  await db.transaction().execute(async tx => {
    await tx
      .insertInto('vat_rate')
      .values({ country: 'TH', rate_bp: 700 })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    if (await tx.selectFrom('plan').select('id').limit(1).executeTakeFirst()) return;

    await tx
      .insertInto('plan')
      .values(
        plans.map((plan, position) => ({
          id: plan.id,
          category: 'vpn',
          position,
          devices: plan.devices,
          data_transfer_gb: plan.dataTransferGb,
          rate_mbit: plan.rateMbit,
        })),
      )
      .execute();
    await tx
      .insertInto('plan_price')
      .values(
        plans.flatMap(plan =>
          (['THB', 'USD'] as const).flatMap(currency =>
            cycles.map(({ months, share, firstYearShare }) => ({
              plan_id: plan.id,
              currency,
              cycle_count: months,
              price: months === 1 ? plan[currency] : nice(plan[currency] * months * firstYearShare),
              renewal: months === 1 ? plan[currency] : nice(plan[currency] * months * share),
            })),
          ),
        ),
      )
      .execute();
    await tx
      .insertInto('provider')
      .values([
        { id: 'demo', name: 'Demo rack' },
        { id: 'hetzner', name: 'Hetzner' },
      ])
      .execute();
    await tx.insertInto('vendor').values({ id: 'fixpoint', name: 'Fixpoint' }).execute();
    await tx
      .insertInto('region')
      .values([...regions])
      .execute();
    const offers = [
      { provider_id: 'demo', region_id: 'th-bkk', vendor_id: 'fixpoint', waiting_list: true },
      { provider_id: 'hetzner', region_id: 'sg-sin', vendor_id: 'fixpoint' },
      { provider_id: 'hetzner', region_id: 'jp-tyo', vendor_id: 'fixpoint' },
    ];
    await tx.insertInto('offer').values(offers).execute();
    await tx
      .insertInto('product')
      .values(
        plans.flatMap(plan =>
          offers.flatMap(offer =>
            cycles.map(({ months }) => ({
              id: `${plan.id}-${months}m-${offer.provider_id}-${offer.region_id}-${offer.vendor_id}`,
              plan_id: plan.id,
              cycle_count: months,
              provider_id: offer.provider_id,
              region_id: offer.region_id,
              vendor_id: offer.vendor_id,
            })),
          ),
        ),
      )
      .execute();
  });
}
