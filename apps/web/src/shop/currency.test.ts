import { expect, test } from 'vitest';
import { currenciesOf } from './currency.ts';

const [BANGKOK, TOKYO, BERLIN, CHICAGO, UTC] = [-420, -540, -60, 360, 0];

test.each([
  ['a Thai browser in Bangkok', ['th-TH', 'en'], BANGKOK, []],
  ['an American browser in Bangkok', ['en-US', 'en'], BANGKOK, []],
  ['a Vietnamese browser at the same hour', ['vi-VN', 'en'], BANGKOK, ['VND', 'USD']],
  ['an American browser in Tokyo, page in Japanese', ['en-US', 'ja-JP'], TOKYO, ['JPY', 'USD']],
  ['an American browser in Tokyo, page in English', ['en-US', 'en'], TOKYO, ['USD']],
  ['a German browser in Berlin', ['de-DE', 'en'], BERLIN, ['EUR', 'USD']],
  ['an American browser in Chicago, page in Thai', ['en-US', 'th-TH'], CHICAGO, ['USD']],
  ['a browser that hides its time', ['en-US', 'en'], UTC, ['USD']],
] as const)('UX15 %s asks for its region’s currency', (_, tags, behindUtc, expected) => {
  expect(currenciesOf(tags, behindUtc, 'THB')).toEqual(expected);
});

test('UX15 a shop whose own currency is the international one asks for nothing else', () => {
  expect(currenciesOf(['en-US'], CHICAGO, 'USD')).toEqual([]);
  expect(currenciesOf(['en-US'], UTC, 'USD')).toEqual([]);
  expect(currenciesOf(['th-TH'], BANGKOK, 'USD')).toEqual(['THB']);
});
