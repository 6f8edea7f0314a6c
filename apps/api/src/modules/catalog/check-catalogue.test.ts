import { expect, test } from 'vitest';
import { checkCatalogue } from './check-catalogue.ts';

const sale = { country: 'TH', currency: 'THB' };
const place = { provider: 'rack', region: 'th-bkk', vendor: 'us' };
/** A small catalogue file with changes. */
const given = (change: (file: ReturnType<typeof small>) => void = () => {}) => {
  const file = small();
  change(file);
  return file;
};
const small = () => ({
  vat: { TH: 7 } as Record<string, unknown>,
  providers: { rack: 'Our rack' } as Record<string, unknown>,
  vendors: { us: 'Us' },
  regions: { 'th-bkk': { name: 'Bangkok', country: 'TH', latitude: 13.76, longitude: 100.5 } },
  places: [{ ...place }] as Record<string, unknown>[],
  plans: {
    solo: { devices: 2, dataTransferGb: 500, rateMbit: 50, prices: { THB: { 1: 199 } } },
  } as Record<string, Record<string, unknown>>,
});
const priced = (prices: unknown) => given(file => Object.assign(file.plans.solo!, { prices }));
/** PayPal takes any amount. */
const monthly = (price: unknown) =>
  checkCatalogue(priced({ THB: { 1: price } }), { ...sale, methods: ['paypal'] }).plans.solo?.prices.THB?.[1];

test('FO1 a price is parsed to the hundredth', () => {
  for (const [price, minor] of [
    [199, 19_900],
    [199.5, 19_950],
    ['199.05', 19_905],
    [4.35, 435],
    [0.1, 10],
  ])
    expect(monthly(price)).toEqual({ price: minor, renewal: minor });
  for (const price of [0, -1, 199.999, '1e3', 'free', '1,000', null, Number.NaN, '12345678901'])
    expect(() => monthly(price), String(price)).toThrow('plans.solo.prices.THB.1: ');
});

test('FO1 only a year may cost less the first time', () => {
  const year = { firstYear: 1000, renewal: 1200 };
  const { plans } = checkCatalogue(priced({ THB: { 12: year } }), sale);
  expect(plans.solo?.prices.THB?.[12]).toEqual({ price: 100_000, renewal: 120_000 });
  expect(() => checkCatalogue(priced({ THB: { 6: year } }), sale)).toThrow('THB.6');
  expect(() => checkCatalogue(priced({ THB: { 12: { ...year, firstYear: 1300 } } }), sale)).toThrow('THB.12');
});

test.each<[string, unknown]>([
  ['vat: has no rate for TH', given(file => Object.assign(file, { vat: { LA: 10 } }))],
  ['vat.TH', given(file => Object.assign(file.vat, { TH: 107 }))],
  [
    'places.0.region: sg-sin is not among the regions',
    given(file => Object.assign(file.places[0]!, { region: 'sg-sin' })),
  ],
  ['places.0', given(file => Object.assign(file.places[0]!, { waiting: true }))],
  ['places.1: rack-th-bkk-us is there twice', given(file => void file.places.push(place))],
  ['places: names no place', given(file => Object.assign(file, { places: [] }))],
  ['providers.other: no place uses it', given(file => Object.assign(file.providers, { other: 'Other' }))],
  ['plans: names no plan', given(file => Object.assign(file, { plans: {} }))],
  ['plans.solo.devices', given(file => Object.assign(file.plans.solo!, { devices: 32 }))],
  ['plans.Solo', given(file => Object.assign(file.plans, { Solo: file.plans.solo }))],
  ['plans.solo.prices: has none in THB', priced({ USD: { 1: 5 } })],
  ['plans.solo.prices.THB', priced({ THB: { 2: 100 } })],
  ['plans.solo.prices.JPY.1: JPY has no smaller unit', priced({ THB: { 1: 1 }, JPY: { 1: 5.5 } })],
  ...['CLP', 'XOF', 'KWD', 'ISK', 'ABC'].map((currency): [string, unknown] => [
    `plans.solo.prices.${currency}: its unit at Stripe is not known here; prices can be in AED, `,
    priced({ THB: { 1: 1 }, [currency]: { 1: 5 } }),
  ]),
  // What the calls could not name.
  [
    `plans.${'p'.repeat(81)}`,
    given(file => Object.assign(file.plans, { ['p'.repeat(81)]: file.plans.solo })),
  ],
  [
    'has more than 80 characters; shorten an ID',
    given(file => Object.assign(file.plans, { ['p'.repeat(64)]: file.plans.solo })),
  ],
  [
    'solo-1m-rack-th-bkk-us is also the ID of another product',
    given(file => {
      Object.assign(file.providers, { 'rack-th': 'Another rack' });
      Object.assign(file.regions, { bkk: file.regions['th-bkk'] });
      file.places.push({ provider: 'rack-th', region: 'bkk', vendor: 'us' });
    }),
  ],
  ['the file', 'a text'],
  ['the file', null],
])('FO1 a catalogue is refused: %s', (named, file) => {
  expect(() => checkCatalogue(file, sale)).toThrow(named);
});

test('FO1 all faults are named at once', () => {
  const file = given(({ vat, plans }) => {
    vat.TH = 'much';
    Object.assign(plans.solo!, { devices: 0, rateMbit: 1.5 });
  });
  for (const named of ['vat.TH', 'plans.solo.devices', 'plans.solo.rateMbit'])
    expect(() => checkCatalogue(file, sale)).toThrow(named);
});

test('BG2 a price is refused that no payment method of the shop takes', () => {
  const prices = (currency: string, price: number) => priced({ THB: { 1: 199 }, [currency]: { 1: price } });
  const refused =
    (currency: string, price: number, methods?: Parameters<typeof checkCatalogue>[1]['methods']) => () =>
      checkCatalogue(prices(currency, price), { ...sale, ...(methods && { methods }) });
  expect(refused('THB', 5)).toThrow(
    'plans.solo.prices.THB.1: no payment method of this shop takes THB 5.00; cards take 10.00 to 999999.99',
  );
  expect(refused('LAK', 1_260_000)).toThrow('takes LAK 1260000.00');
  expect(refused('THB', 5, ['card', 'paypal'])).not.toThrow();
  expect(refused('LAK', 1_260_000, ['card', 'paypal'])).toThrow('takes LAK');
  // A first year below the minimum is as unpayable as a renewal.
  const yearly = priced({ THB: { 12: { firstYear: 5, renewal: 1990 } } });
  expect(() => checkCatalogue(yearly, sale)).toThrow('takes THB 5.00');
});
