import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasVatIds, isThaiTaxId, vatIdOf } from './tax-id.ts';

describe('Thai tax IDs', () => {
  test.each(['0105567000005', '0107537000521', '0107536000315', '3100600445635'])('%s is one', id => {
    expect(isThaiTaxId(id)).toBe(true);
  });

  test('one last digit fits the twelve before it, and no other', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{12}$/), first => {
        expect([...'0123456789'].filter(last => isThaiTaxId(first + last))).toHaveLength(1);
      }),
    );
  });

  test.each(['', '010556700000', '01055670000050', '010556700000A', '๐๑๐๕๕๖๗๐๐๐๐๐๕'])('%s is none', id => {
    expect(isThaiTaxId(id)).toBe(false);
  });
});

describe('VAT-IDs', () => {
  test.each([
    ['DE', 'de 123.456.789', 'DE123456789'],
    ['DE', '123456789', 'DE123456789'],
    ['GR', 'EL094019245', 'EL094019245'],
    ['AT', 'ATU12345678', 'ATU12345678'],
    ['NL', 'NL123456789B01', 'NL123456789B01'],
    ['IE', 'IE1234567WA', 'IE1234567WA'],
    ['ES', 'ESX1234567X', 'ESX1234567X'],
    ['FR', 'FRK7399859412', 'FRK7399859412'],
    ['BE', '0123456789', 'BE0123456789'],
    ['DE', 'DE12345678', undefined],
    ['DE', 'FR12345678901', undefined],
    ['FR', 'FR123456789', undefined],
    ['GR', 'GR094019245', undefined],
    ['TH', '0105567000005', undefined],
  ])('%s %s is written %s', (country, typed, written) => {
    expect(vatIdOf(country, typed)).toBe(written);
  });

  // Each way in which a country writes them; where their lengths vary, the shortest and the longest.
  test.each([
    ['AT', 'U12345678'],
    ['BE', '0123456789', '1123456789'],
    ['BG', '123456789', '1234567890'],
    ['CY', '12345678X'],
    ['CZ', '12345678', '1234567890'],
    ['DE', '123456789'],
    ['DK', '12345678'],
    ['EE', '123456789'],
    ['ES', 'A12345674', 'X1234567X', '12345678Z'],
    ['FI', '12345678'],
    ['FR', '12345678901', 'K7399859412'],
    ['GR', '094019245'],
    ['HR', '12345678901'],
    ['HU', '12345678'],
    ['IE', '1234567W', '1234567WA', '8Z49289F', '8+49289F'],
    ['IT', '12345678901'],
    ['LT', '123456789', '123456789012'],
    ['LU', '12345678'],
    ['LV', '12345678901'],
    ['MT', '12345678'],
    ['NL', '123456789B01'],
    ['PL', '1234567890'],
    ['PT', '123456789'],
    ['RO', '12', '1234567890'],
    ['SE', '123456789012'],
    ['SI', '12345678'],
    ['SK', '1234567890'],
  ])('of %s are as long and of such characters as %s', (country, ...ids) => {
    const prefix = country === 'GR' ? 'EL' : country;
    for (const id of ids) expect(vatIdOf(country, id)).toBe(prefix + id);
    const shortest = ids[0]!.slice(0, -1);
    const longest = ids.at(-1)!;
    for (const wrong of [shortest, `#${longest}`, `${longest}#`, `${longest}12`])
      expect(vatIdOf(country, wrong), wrong).toBeUndefined();
  });

  test.each([
    ['AT', '123456789'],
    ['BE', '2123456789'],
    ['CY', '123456781'],
    ['ES', '123456789'],
    ['FR', 'IO123456789'],
    ['IE', '12345678'],
    ['LT', '1234567890'],
    ['NL', '123456789A01'],
  ])('of %s are none like %s', (country, id) => {
    expect(vatIdOf(country, id)).toBeUndefined();
  });

  test('what was written once is written alike again', () => {
    const country = fc.constantFrom('DE', 'SE', 'IT', 'PL', 'GR');
    fc.assert(
      fc.property(country, fc.stringMatching(/^\d{8,12}$/), (of, typed) => {
        const written = vatIdOf(of, typed);
        if (written) expect(vatIdOf(of, written)).toBe(written);
      }),
    );
    expect([hasVatIds('DE'), hasVatIds('GB'), hasVatIds('TH')]).toEqual([true, false, false]);
  });
});
