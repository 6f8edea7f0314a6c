import { en16931Faults } from '@fixpoint/testkit/en16931.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ciiOf } from './cii.ts';
import { common, invoices, notes } from './testing/cii-arbitrary.ts';

/* The machine-readable invoice (EN 16931) of every kind of document that the shop generates. */

test('B25 the XML follows the rules of EN 16931 for every product, currency and payment method', () => {
  fc.assert(
    fc.property(fc.oneof(invoices, notes), ({ of, step }) => {
      expect(en16931Faults(ciiOf(of), step)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('B25 the rules reject wrong amounts, elements out of order and a seller without an identifier', () => {
  const line = { item: 'Solo', net: 18_598, vat: 1_302, vatRateBp: 700, total: 19_900 };
  const xml = ciiOf(common('THB', [line], { due: 5_000 }));
  expect(en16931Faults(xml)).toEqual([]);
  const faults = (pattern: RegExp | string, by: string) => en16931Faults(xml.replace(pattern, by));
  expect(faults('>149.00<', '>148.00<')).toEqual(['BR-CO-16']);
  expect(faults(/(<ram:CalculatedAmount>)13.02/, '$113.05')).toEqual(['BR-CO-14', 'BR-CO-17']);
  expect(faults(/(<ram:BasisAmount>)185.98/, '$1185.00')).toEqual(['BR-CO-17', 'BR-S-08, BR-Z-08, BR-O-08']);
  expect(faults(/(<ram:GrandTotalAmount>)199.00/, '$1199.001')).toEqual(['BR-CO-15', 'BR-CO-16']);
  expect(faults(/<ram:SpecifiedTradePaymentTerms>.*<\/ram:SpecifiedTradePaymentTerms>/, '')).toEqual([
    'BR-CO-25',
  ]);
  expect(faults(/<ram:SellerTradeParty><ram:ID>\d+<\/ram:ID>/, '<ram:SellerTradeParty>')).toEqual([
    'BR-CO-26',
  ]);
  expect(faults(/<ram:SpecifiedTaxRegistration>.*?<\/ram:SpecifiedTaxRegistration>/, '')).toEqual([
    'BR-S-02, BR-Z-02',
  ]);
  const german = { name: 'Muster & Söhne', country: 'DE', line1: 'Hauptstr. 1', taxId: 'DE123456789' };
  const forCompany = ciiOf(
    common('THB', [line], { buyer: { id: 'cus_1', company: { ...german, email: 'a@b.de' } } }),
  );
  expect(en16931Faults(forCompany)).toEqual([]);
  const wrong = (pattern: RegExp | string, by: string) => en16931Faults(forCompany.replace(pattern, by));
  expect(wrong('>DE123456789<', '>123456789<')).toEqual(['BR-CO-09']);
  expect(wrong(' schemeID="EM"', '')).toEqual(['BR-63']);
  expect(wrong(/(<ram:CountryID>)DE/, '$1')).toEqual(['BR-11', 'BR-CO-09']);
  expect(wrong(/<ram:Name>Muster.*?<\/ram:Name>/, '')).toEqual(['BR-07']);
  expect(faults(/(<ram:ID>2026-000001<\/ram:ID>)(<ram:TypeCode>380<\/ram:TypeCode>)/, '$2$1')).toEqual([
    'order: ID in ExchangedDocument',
  ]);
});
