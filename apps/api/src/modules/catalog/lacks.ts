import { type Catalogue, type Sale, unpayablePrices } from './check-catalogue.ts';

const IMPORT = '\n  npm run shop -- catalogue import FILE';

/** What a catalogue lacks before the first sale, each with its remedy. */
export function catalogueLacks({ vat, places, plans }: Catalogue, sale: Sale): string[] {
  if (Object.keys(plans).length === 0 || places.length === 0)
    return [
      `There is no catalogue, so nothing is for sale. Write one after docs/operate/catalogue.example.yaml, then import it:${IMPORT}`,
    ];
  const lacks: string[] = [];
  if (!(sale.country in vat))
    lacks.push(
      `Nothing is for sale, because the catalogue has no VAT rate for ${sale.country} (SALE_COUNTRY). Add it under vat, then import the file:${IMPORT}`,
    );
  if (!Object.values(plans).some(({ prices }) => sale.currency in prices))
    lacks.push(
      `The price page is empty, because no plan has a price in ${sale.currency} (DEFAULT_CURRENCY). Add prices, then import the file:${IMPORT}`,
    );
  const unpayable = unpayablePrices(plans, sale);
  if (unpayable.length > 0)
    lacks.push(
      `Nobody can pay these prices. Change them, then import the file:${IMPORT}\n  ${unpayable.join('\n  ')}`,
    );
  return lacks;
}
