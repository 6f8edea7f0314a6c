import { currencies, minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { wholeUnitsIn } from '@fixpoint/domain/kernel/money.ts';
import { amountLimits, type PayingMethod, takesAmount } from '@fixpoint/domain/payment/amount-limits.ts';
import { z } from 'zod';
import { vatRates } from './vat-rates.ts';

/** Complete catalogue as an operator writes it: what is for sale, where, and at which price. */
export type Catalogue = z.output<typeof schema>;
export type Place = Catalogue['places'][number];

const CYCLES = ['1', '3', '6', '12'] as const;

/** Longest ID that the calls take, also of a product. */
const ID_MAX = 80;

const id = z
  .string()
  .max(ID_MAX, `an ID has at most ${ID_MAX} characters`)
  .regex(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'an ID starts with a lower-case letter and has lower-case letters, digits and single hyphens',
  );
const name = z.string().trim().min(1, 'is empty');
const country = z.string().regex(/^[A-Z]{2}$/, 'a country has two capital letters, such as TH');
const whole = z.number().int().positive();

/** 199, 199.5 or "199.50" → hundredths. Parses the digits, because floating-point arithmetic is not exact. */
const money = z.unknown().transform((given, context) => {
  const [, units, cents = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(String(given)) ?? [];
  const minor = units ? Number(units) * 100 + Number(cents.padEnd(2, '0')) : 0;
  if (minor === 0)
    context.addIssue(`${given} is no price: use a number above 0 with at most two decimals, such as 199.50`);
  return minor;
});
const once = money.transform(price => ({ price, renewal: price }));
/** One price, or one for the first year and one for all later years. */
const yearly = z.preprocess(
  given => (given && typeof given === 'object' ? given : { firstYear: given, renewal: given }),
  z
    .strictObject({ firstYear: money, renewal: money })
    .transform(({ firstYear, renewal }) => ({ price: firstYear, renewal }))
    .refine(({ price, renewal }) => price <= renewal, 'the first year costs more than the later ones'),
);

const plan = z.strictObject({
  category: id.default('vpn'),
  devices: whole.max(31),
  dataTransferGb: whole,
  rateMbit: whole,
  portForward: z.boolean().default(false),
  prices: z.record(
    z.string().regex(/^[A-Z]{3}$/, 'a currency has three capital letters, such as THB'),
    z.strictObject({ 1: once, 3: once, 6: once, 12: yearly }).partial(),
  ),
});
const place = z.strictObject({
  provider: id,
  region: id,
  vendor: id,
  waitingList: z.boolean().default(false),
});

const schema = z.strictObject({
  /** VAT contained in the prices, by country of sale and start day; in basis points after parsing. */
  vat: z.record(country, vatRates),
  providers: z.record(id, name),
  vendors: z.record(id, name),
  regions: z.record(
    id,
    z.strictObject({
      name,
      country,
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    }),
  ),
  places: z.array(place).min(1, 'names no place'),
  plans: z.record(id, plan),
});

/**
 * Country and currency of sale, which a catalogue must at least have, and the payment methods of the shop; absent: cards alone.
 */
export type Sale = { country: string; currency: string; methods?: readonly PayingMethod[] };

/** Error with all faults of a catalogue. */
export class CatalogueFault extends Error {
  override name = 'CatalogueFault';
}

/** Parses and checks a catalogue. @throws CatalogueFault */
export function checkCatalogue(given: unknown, sale: Sale): Catalogue {
  const parsed = schema.safeParse(given);
  const wrong = parsed.success
    ? problemsOf(parsed.data, sale)
    : parsed.error.issues.map(issue => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  if (wrong.length > 0)
    throw new CatalogueFault(`Nothing changed. The catalogue has faults:\n  ${wrong.join('\n  ')}`);
  return parsed.data!;
}

/** Faults between parts of a catalogue, which its schema cannot find. */
function problemsOf({ vat, providers, vendors, regions, places, plans }: Catalogue, sale: Sale): string[] {
  const wrong: string[] = [];
  const kinds = { provider: providers, region: regions, vendor: vendors } as const;
  const seen = new Set<string>();
  for (const [index, one] of places.entries()) {
    const named = JSON.stringify([one.provider, one.region, one.vendor]);
    if (seen.has(named)) wrong.push(`places.${index}: ${placeId(one)} is there twice`);
    seen.add(named);
    for (const kind of ['provider', 'region', 'vendor'] as const)
      if (!(one[kind] in kinds[kind]))
        wrong.push(`places.${index}.${kind}: ${one[kind]} is not among the ${kind}s`);
  }
  for (const kind of ['provider', 'region', 'vendor'] as const)
    for (const unused of Object.keys(kinds[kind]).filter(key => !places.some(one => one[kind] === key)))
      wrong.push(`${kind}s.${unused}: no place uses it`);
  if (!(sale.country in vat))
    wrong.push(`vat: has no rate for ${sale.country}, the country of sale (SALE_COUNTRY)`);
  if (Object.keys(plans).length === 0) wrong.push('plans: names no plan');
  for (const [planId, { prices }] of Object.entries(plans)) {
    if (Object.keys(prices[sale.currency] ?? {}).length === 0)
      wrong.push(`plans.${planId}.prices: has none in ${sale.currency} (DEFAULT_CURRENCY)`);
    // Stripe has currencies without minor units and with thousandths: a wrong unit charges a hundred times the price (M2).
    for (const currency of Object.keys(prices).filter(named => !currencies.includes(named)))
      wrong.push(
        `plans.${planId}.prices.${currency}: its unit at Stripe is not known here; prices can be in ${currencies.join(', ')}`,
      );
    for (const { currency, cycle, price, renewal } of pricesOf(prices))
      if ([price, renewal].some(amount => wholeUnitsIn(currency, amount) !== amount))
        wrong.push(`plans.${planId}.prices.${currency}.${cycle}: ${currency} has no smaller unit`);
  }
  wrong.push(...unpayablePrices(plans, sale));
  return [...wrong, ...productFaults(plans, places)];
}

/** Prices that no payment method of the shop takes, because they are too small or too large. */
export function unpayablePrices(
  plans: Catalogue['plans'],
  { methods = ['card'] }: Pick<Sale, 'methods'>,
): string[] {
  const shown = (amount: number) => (amount / 100).toFixed(2);
  return Object.entries(plans).flatMap(([planId, { prices }]) =>
    pricesOf(prices).flatMap(({ currency, cycle, price, renewal }) => {
      const facts = { minimumByCard: minimumByCard(currency) };
      const refused = [price, renewal].find(
        amount => !methods.some(method => takesAmount(method, currency, amount, facts)),
      );
      const card = amountLimits('card', currency, facts);
      if (refused === undefined || !card || wholeUnitsIn(currency, refused) !== refused) return [];
      return [
        `plans.${planId}.prices.${currency}.${cycle}: no payment method of this shop takes ${currency} ${shown(refused)}; cards take ${shown(card.least)} to ${shown(card.most)}`,
      ];
    }),
  );
}

/** Products whose ID is too long, or is that of another one because the parts join alike. */
function productFaults(plans: Catalogue['plans'], places: readonly Place[]): string[] {
  const wrong: string[] = [];
  const made = new Map<string, string>();
  for (const [planId, { prices }] of Object.entries(plans))
    for (const cycle of new Set(pricesOf(prices).map(price => price.cycle)))
      for (const place of places) {
        const productId = productIdOf(planId, cycle, place);
        const of = JSON.stringify([planId, cycle, place.provider, place.region, place.vendor]);
        const other = made.get(productId);
        if (productId.length > ID_MAX)
          wrong.push(`plans.${planId}: ${productId} has more than ${ID_MAX} characters; shorten an ID`);
        if (other && other !== of)
          wrong.push(`plans.${planId}: ${productId} is also the ID of another product; change an ID`);
        made.set(productId, of);
      }
  return wrong;
}

export const productIdOf = (planId: string, cycle: number, place: Omit<Place, 'waitingList'>): string =>
  `${planId}-${cycle}m-${placeId(place)}`;

/** Name of a place in messages and product IDs. */
export const placeId = ({ provider, region, vendor }: Omit<Place, 'waitingList'>): string =>
  `${provider}-${region}-${vendor}`;

/** Prices of a plan as a flat list. */
export const pricesOf = (prices: Catalogue['plans'][string]['prices']) =>
  Object.entries(prices).flatMap(([currency, byCycle]) =>
    CYCLES.flatMap(cycle => {
      const found = byCycle[cycle];
      return found ? [{ currency, cycle: Number(cycle), ...found }] : [];
    }),
  );
