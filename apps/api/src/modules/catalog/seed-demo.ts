import type { Db } from '../../ports/database.ts';
import { type Catalogue, CatalogueFault } from './check-catalogue.ts';
import { importCatalogue } from './import-catalogue.ts';
import { readCatalogue } from './read-catalogue.ts';

/** Monthly gross prices in hundredths. `cycles` has the discounts of longer cycles. */
const plans = {
  solo: { devices: 2, dataTransferGb: 500, rateMbit: 50, portForward: false, THB: 19_900, USD: 599 },
  plus: { devices: 5, dataTransferGb: 1000, rateMbit: 100, portForward: true, THB: 32_900, USD: 999 },
  team: { devices: 15, dataTransferGb: 3000, rateMbit: 300, portForward: true, THB: 69_900, USD: 2099 },
};
const cycles = [
  { months: 1, share: 1, firstYearShare: 1 },
  { months: 3, share: 0.95, firstYearShare: 0.95 },
  { months: 6, share: 0.9, firstYearShare: 0.9 },
  { months: 12, share: 0.8, firstYearShare: 0.65 },
] as const;

/** Rounds to whole units of the currency. */
const nice = (minor: number) => Math.round(minor / 100) * 100;

const pricesFrom = (monthly: number) =>
  Object.fromEntries(
    cycles.map(({ months, share, firstYearShare }) => [
      months,
      months === 1
        ? { price: monthly, renewal: monthly }
        : { price: nice(monthly * months * firstYearShare), renewal: nice(monthly * months * share) },
    ]),
  );

const demo: Catalogue = {
  vat: { TH: [{ from: null, rateBp: 700 }] },
  providers: { demo: 'Demo rack', hetzner: 'Hetzner' },
  vendors: { fixpoint: 'Fixpoint' },
  regions: {
    'th-bkk': { name: 'Bangkok', country: 'TH', latitude: 13.76, longitude: 100.5 },
    'sg-sin': { name: 'Singapore', country: 'SG', latitude: 1.35, longitude: 103.82 },
    'jp-tyo': { name: 'Tokyo', country: 'JP', latitude: 35.68, longitude: 139.69 },
  },
  places: [
    { provider: 'demo', region: 'th-bkk', vendor: 'fixpoint', waitingList: true },
    { provider: 'hetzner', region: 'sg-sin', vendor: 'fixpoint', waitingList: false },
    { provider: 'hetzner', region: 'jp-tyo', vendor: 'fixpoint', waitingList: false },
  ],
  plans: Object.fromEntries(
    Object.entries(plans).map(([id, { THB, USD, ...entitlements }]) => [
      id,
      { category: 'vpn', ...entitlements, prices: { THB: pricesFrom(THB), USD: pricesFrom(USD) } },
    ]),
  ),
};

/** Fills an empty catalogue with demo plans, places and prices. Leaves a filled one unchanged. */
export async function seedDemoCatalog(db: Db): Promise<void> {
  const present = await readCatalogue(db);
  if (Object.keys(present.plans).length > 0) return;
  try {
    await importCatalogue(db, present, demo);
  } catch (error) {
    // A node that started at the same time was first.
    if (!(error instanceof CatalogueFault)) throw error;
  }
}
