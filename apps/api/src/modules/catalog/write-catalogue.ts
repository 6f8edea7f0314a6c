import type { Catalogue } from './check-catalogue.ts';

type Plan = Catalogue['plans'][string];

/** Hundredths as an operator writes them: `199.50`, without a fraction where there is none. */
const written = (minor: number): number => minor / 100;

/** A catalogue in the form that an operator writes and `checkCatalogue` reads. */
export const writtenCatalogue = ({ vat, plans, ...rest }: Catalogue) => ({
  vat: Object.fromEntries(Object.entries(vat).map(([country, rates]) => [country, writtenRates(rates)])),
  ...rest,
  plans: Object.fromEntries(Object.entries(plans).map(([id, plan]) => [id, writtenPlan(plan)])),
});

function writtenRates([first, ...later]: Catalogue['vat'][string]) {
  const rate = written(first!.rateBp);
  return later.length === 0
    ? rate
    : [{ rate }, ...later.map(({ from, rateBp }) => ({ from, rate: written(rateBp) }))];
}

const writtenPlan = ({ prices, ...plan }: Plan) => ({
  ...plan,
  prices: Object.fromEntries(
    Object.entries(prices).map(([currency, cycles]) => [
      currency,
      Object.fromEntries(
        Object.entries(cycles).map(([cycle, { price, renewal }]) => [
          cycle,
          price === renewal ? written(price) : { firstYear: written(price), renewal: written(renewal) },
        ]),
      ),
    ]),
  ),
});
