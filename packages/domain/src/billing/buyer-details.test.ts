import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBuyer } from './buyer-details.ts';

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

  test.each([
    ['TH', ['10110'], ['01110', '101100', '1011', 'A10110']],
    ['SG', ['048616'], ['48616', '0486160', 'A048616']],
    ['KR', ['04524'], ['0452', '045240', 'A04524']],
    ['JP', ['100-0005', '1000005'], ['100-000', '100-00050', 'A100-0005']],
    ['DE', ['10115'], ['1011', '101150', 'D-10115']],
  ])('postcodes of %s are like %j, not like %j', (country, right, wrong) => {
    const { taxId: _, ...untaxed } = thai;
    const faultOf = (postcode: string) => {
      const checked = checkBuyer({ ...untaxed, country, postcode }, asked);
      return 'faults' in checked ? checked.faults.postcode : undefined;
    };
    for (const postcode of right) expect(faultOf(postcode)).toBeUndefined();
    for (const postcode of wrong) expect(faultOf(postcode), postcode).toBe('postcode');
  });

  test('a branch has five digits', () => {
    for (const branch of ['0000', '000000', 'A00000'])
      expect(checkBuyer({ ...thai, branch }, asked)).toEqual({ faults: { branch: 'branch' } });
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
