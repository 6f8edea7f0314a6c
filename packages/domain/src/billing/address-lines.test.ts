import { expect, test } from 'vitest';
import { addressLines } from './address-lines.ts';

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

const whole = { line1: '1', line2: '2', city: 'City', region: 'Region', postcode: '10115' };

test.each(['KR', 'CN', 'TW'])('%s writes from the large to the small', country => {
  expect(addressLines({ ...whole, country }, 'Land')).toEqual(['10115', 'Region City', '1', '2', 'Land']);
});

test.each(['AT', 'SE', 'MY'])('%s writes the postcode before the town', country => {
  expect(addressLines({ ...whole, country }, 'Land')).toEqual(['1', '2', '10115 City', 'Region', 'Land']);
});
