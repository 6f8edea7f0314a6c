import { type Catalogue, placeId, pricesOf } from './check-catalogue.ts';
import type { VatRates } from './vat-rates.ts';

/** Differences of two catalogues, one line each: `+` added, `-` removed, `~` changed. */
export function compareCatalogues(before: Catalogue, after: Catalogue): string[] {
  const [was, is] = [saysOf(before), saysOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap(thing => {
    const [old, now] = [was.get(thing), is.get(thing)];
    if (old === now) return [];
    if (old === undefined) return [`+ ${thing}: ${now}`];
    return [now === undefined ? `- ${thing}: ${old}` : `~ ${thing}: ${old} → ${now}`];
  });
}

/** Whether a difference concerns VAT, plans or prices. */
export const touchesPrices = (lines: readonly string[]): boolean =>
  lines.some(line => /^. (VAT|plan|price) /.test(line));

/** Facts of a catalogue, by the thing that they describe. */
function saysOf({ vat, providers, vendors, regions, places, plans }: Catalogue): Map<string, string> {
  const facts: [string, string][] = [
    ...Object.entries(vat).map(([country, rates]): [string, string] => [`VAT ${country}`, ratesText(rates)]),
    ...Object.entries(providers).map(([id, name]): [string, string] => [`provider ${id}`, name]),
    ...Object.entries(vendors).map(([id, name]): [string, string] => [`vendor ${id}`, name]),
    ...Object.entries(regions).map(([id, region]): [string, string] => [
      `region ${id}`,
      `${region.name}, ${region.country}, ${region.latitude}, ${region.longitude}`,
    ]),
    ...places.map((place): [string, string] => [
      `place ${placeId(place)}`,
      place.waitingList ? 'for sale, with a waiting list' : 'for sale',
    ]),
  ];
  for (const [index, [id, plan]] of Object.entries(plans).entries()) {
    const { category, devices, dataTransferGb, rateMbit, portForward, prices } = plan;
    facts.push([
      `plan ${id}`,
      `number ${index + 1} of the page, ${category}, ${devices} devices, ${dataTransferGb} GB, ${rateMbit} Mbit/s${portForward ? ', with a port' : ''}`,
    ]);
    for (const { currency, cycle, price, renewal } of pricesOf(prices))
      facts.push([
        `price ${id}, months: ${cycle}, ${currency}`,
        renewal === price ? amount(price) : `first ${amount(price)}, then ${amount(renewal)}`,
      ]);
  }
  return new Map(facts);
}

const ratesText = (rates: VatRates): string =>
  rates.map(({ from, rateBp }) => `${from ? `from ${from} ` : ''}${rateBp / 100} %`).join(', ');

const amount = (minor: number): string => (minor / 100).toFixed(2);
