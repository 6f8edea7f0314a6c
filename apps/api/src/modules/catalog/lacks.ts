import type { Db } from '../../ports/database.ts';
import { placeId, type Sale } from './check-catalogue.ts';
import { readCatalogue } from './read-catalogue.ts';

const IMPORT = 'npm run shop -- catalogue import FILE';

/** What the catalogue lacks before anybody can buy, one sentence each with what to do (FO1). */
export async function catalogueLacks(db: Db, sale: Sale): Promise<string[]> {
  const { vat, places, plans } = await readCatalogue(db);
  if (Object.keys(plans).length === 0 || places.length === 0)
    return [
      `There is no catalogue, so nothing is for sale. Write one after docs/operate/catalogue.example.yaml, then: ${IMPORT}`,
    ];
  const lacks: string[] = [];
  if (!(sale.country in vat))
    lacks.push(
      `SALE_COUNTRY is ${sale.country}, and the catalogue has no VAT rate for it, so nothing is for sale. Add it under vat, then: ${IMPORT}`,
    );
  if (!Object.values(plans).some(({ prices }) => sale.currency in prices))
    lacks.push(
      `DEFAULT_CURRENCY is ${sale.currency}, and no plan has a price in it, so the price page is empty. Add prices, then: ${IMPORT}`,
    );
  return lacks;
}

/** The places that are for sale, as messages name them. */
export async function placesForSale(db: Db) {
  const { places } = await readCatalogue(db);
  return places.map(place => ({ ...place, id: placeId(place) }));
}
