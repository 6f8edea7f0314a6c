import { languageCodes } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { countryNames } from './country-names.ts';

test('countries have names in every language, in its own script', () => {
  const japan = Object.fromEntries(languageCodes.map(language => [language, countryNames(language).JP]));
  expect(japan).toMatchObject({ en: 'Japan', th: 'ญี่ปุ่น', kh: 'ជប៉ុន', la: 'ຍີ່ປຸ່ນ', mm: 'ဂျပန်', jp: '日本' });
  expect(Object.values(japan).every(Boolean)).toBe(true);
});

test('all current countries are named, and none under a former code', () => {
  const names = countryNames('en');
  expect(names).toMatchObject({ TH: 'Thailand', SG: 'Singapore', DE: 'Germany' });
  expect(names.DD).toBeUndefined();
  expect(Object.keys(names).length).toBeGreaterThan(249);
});
