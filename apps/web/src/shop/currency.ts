import { type Language, languages } from '@fixpoint/contract/languages.ts';
import { localStore } from '@fixpoint/ui/lib/storage.ts';
import { createStore } from '@fixpoint/ui/lib/store.ts';

/** Also read by src/early.ts. */
const KEY = 'currency';
/** For visitors of a region whose currency is not known here. */
const INTERNATIONAL = 'USD';

/** Currency of a region, and its clocks: minutes behind UTC, from east to west. */
type Region = readonly [currency: string, east: number, west: number];
const euro: Region = ['EUR', -180, 60];
const regions: Record<string, Region | undefined> = {
  TH: ['THB', -420, -420],
  VN: ['VND', -420, -420],
  KH: ['KHR', -420, -420],
  LA: ['LAK', -420, -420],
  ID: ['IDR', -540, -420],
  MY: ['MYR', -480, -480],
  MM: ['MMK', -390, -390],
  PH: ['PHP', -480, -480],
  CN: ['CNY', -480, -480],
  SG: ['SGD', -480, -480],
  KR: ['KRW', -540, -540],
  JP: ['JPY', -540, -540],
  IN: ['INR', -330, -330],
  US: ['USD', 240, 600],
  GB: ['GBP', -60, 0],
  AU: ['AUD', -660, -480],
  ...Object.fromEntries(
    'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map(each => [each, euro]),
  ),
};

const isThere = ([, east, west]: Region, behindUtc: number) => east <= behindUtc && behindUtc <= west;

/**
 * Currencies to ask for, the best first, by what the browser says of its region: a language counts
 * where its region has the browser's time, because many browsers speak American English. No address
 * is looked up. Empty: the shop's own.
 * @param tags languages of the browser, then of the page, such as `th-TH`
 * @param behindUtc minutes, as `getTimezoneOffset` says
 */
export function currenciesOf(tags: readonly string[], behindUtc: number, shopCurrency: string): string[] {
  const own = tags
    .map(tag => regions[tag.split('-').at(-1)!])
    .find(region => region && isThere(region, behindUtc))?.[0];
  const home = Object.values(regions).filter(region => region?.[0] === shopCurrency);
  const isHome = own === shopCurrency || (!own && home.some(region => isThere(region!, behindUtc)));
  if (isHome) return [];
  return [...new Set([...(own ? [own] : []), INTERNATIONAL])].filter(each => each !== shopCurrency);
}

/** The currency that this visitor has chosen. */
export const chosenCurrency = createStore(localStore.read(KEY));

export function chooseCurrency(currency: string): void {
  localStore.write(KEY, currency);
  chosenCurrency.set(currency);
}

/** Currencies that this visitor prefers, the best first. */
export function preferredCurrencies(language: Language, shopCurrency: string): string[] {
  const chosen = chosenCurrency.get();
  if (chosen) return [chosen];
  const tags = [...navigator.languages, languages[language].tag];
  return currenciesOf(tags, new Date().getTimezoneOffset(), shopCurrency);
}
