import type { Catalogue, Sale } from './check-catalogue.ts';

const IMPORT = 'npm run shop -- catalogue import FILE';

/** What a catalogue lacks before anybody can buy, one sentence each with what to do. */
export function catalogueLacks({ vat, places, plans }: Catalogue, sale: Sale): string[] {
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
