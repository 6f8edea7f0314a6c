import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressLines } from './address-lines.ts';
import { checkBuyer } from './buyer-details.ts';
import { hasVatIds, isThaiTaxId, vatIdOf } from './tax-id.ts';

const asked = [
  { field: 'line1', required: true },
  { field: 'city', required: true },
  { field: 'postcode', required: true },
] as const;
const thai = {
  name: 'Siam  Trading\nCo., Ltd. ',
  country: 'TH',
  line1: '1 Sukhumvit Rd',
  city: 'Watthana',
  postcode: '10110',
  taxId: '0-1055-67000-00-5',
  branch: '00000',
};

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

describe('The company of an invoice', () => {
  test('is tidied, and written as it will be printed', () => {
    expect(checkBuyer(thai, asked)).toEqual({
      details: { ...thai, name: 'Siam Trading Co., Ltd.', taxId: '0105567000005' },
    });
  });

  test('every wrong field is named at once', () => {
    expect(
      checkBuyer({ country: 'TH', postcode: '1011', taxId: '0105567000004', branch: '1' }, asked),
    ).toEqual({
      faults: {
        name: 'name',
        line1: 'line1',
        city: 'city',
        postcode: 'postcode',
        taxId: 'taxId',
        branch: 'branch',
      },
    });
    expect(checkBuyer({ ...thai, country: 'DE', taxId: 'DE1' }, asked)).toEqual({
      faults: { taxId: 'vatId' },
    });
    expect(checkBuyer({ ...thai, name: 'A\u0007B' }, asked)).toEqual({ faults: { name: 'unprintable' } });
    expect(checkBuyer({ ...thai, taxId: '', branch: '' }, asked)).toEqual({
      faults: { taxId: 'taxId', branch: 'branch' },
    });
  });

  test('a change of country leaves nothing of the other one behind', () => {
    const { branch: _, ...us } = { ...thai, country: 'US', taxId: '12-3456789' };
    expect(checkBuyer({ ...us, branch: '00000', region: 'Ohio' }, asked)).toEqual({
      details: { ...us, name: 'Siam Trading Co., Ltd.' },
    });
  });

  test('what is accepted is accepted again, unchanged; a recipient is kept once', () => {
    const word = fc.string({ minLength: 1, maxLength: 20 });
    const typed = fc.record({
      name: word,
      line1: word,
      city: word,
      taxId: word,
      recipients: fc.constant(['a@b.co', 'a@b.co']),
    });
    fc.assert(
      fc.property(typed, fc.constantFrom('US', 'LA', 'GB'), (of, country) => {
        const once = checkBuyer({ ...of, country, postcode: '1' }, asked);
        if (!('details' in once)) return;
        expect(once.details.recipients).toEqual(['a@b.co']);
        expect(checkBuyer(once.details, asked)).toEqual(once);
      }),
    );
  });
});

test.each([
  [
    {
      country: 'TH',
      line1: '1 ถนนสุขุมวิท',
      line2: 'คลองเตยเหนือ',
      city: 'วัฒนา',
      region: 'กรุงเทพฯ',
      postcode: '10110',
    },
    ['1 ถนนสุขุมวิท', 'คลองเตยเหนือ วัฒนา', 'กรุงเทพฯ 10110'],
  ],
  [
    { country: 'JP', line1: '丸の内1-1', city: '千代田区', region: '東京都', postcode: '100-0005' },
    ['100-0005', '東京都 千代田区', '丸の内1-1'],
  ],
  [
    { country: 'DE', line1: 'Hauptstr. 1', city: 'Berlin', postcode: '10115' },
    ['Hauptstr. 1', '10115 Berlin'],
  ],
  [
    {
      country: 'US',
      line1: '1 Main St',
      line2: 'Suite 2',
      city: 'Columbus',
      region: 'OH',
      postcode: '43004',
    },
    ['1 Main St', 'Suite 2', 'Columbus, OH 43004'],
  ],
  [{ country: 'SG', line1: '1 Raffles Pl', postcode: '048616' }, ['1 Raffles Pl', '048616']],
])('an address stands as its country writes it: %j', (of, lines) => {
  expect(addressLines(of, 'Land')).toEqual([...lines, 'Land']);
});
