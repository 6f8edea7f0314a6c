import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkCatalogue } from '../../modules/catalog/index.ts';
import { firstCatalogue } from './first-catalogue.ts';

const settings = { SALE_COUNTRY: 'TH', DEFAULT_CURRENCY: 'THB' };
const given = { FIRST_PLACE: 'Singapore', FIRST_PRICE: '199.50', FIRST_VAT: '7' };
const silent = { ask: async () => undefined, say: () => {} };

test('OP15 three answers make a catalogue that the shop imports', async () => {
  const text = await firstCatalogue(given, settings, silent);
  const catalogue = checkCatalogue(parse(text!), { country: 'TH', currency: 'THB', methods: ['card'] });
  expect(catalogue.plans.solo!.prices.THB![1]).toMatchObject({ price: 19_950 });
  expect(catalogue.places).toHaveLength(1);
});

test('OP15 an answer that is none is asked again, and without anybody to ask there is no catalogue', async () => {
  const answers = ['Atlantis', 'Tokyo'];
  const said: string[] = [];
  const ask = async () => answers.shift();
  const { FIRST_PLACE: _, ...rest } = given;
  expect(await firstCatalogue(rest, settings, { ask, say: line => void said.push(line) })).toContain(
    'jp-tyo',
  );
  expect(said.join()).toContain('Atlantis');
  expect(await firstCatalogue(rest, settings, silent)).toBeUndefined();
});
