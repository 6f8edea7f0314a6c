import { describe, expect, test } from 'vitest';
import { languageOfAddress, pathInLanguage, pathWithLanguage, rememberedLanguage } from './language.ts';

describe('W10 paths without a language', () => {
  test.each([
    ['/', '', ['th-TH', 'en'], '/th'],
    ['/', '', ['xx'], '/en'],
    ['/', 'a=b; i18n_redirected=kr', ['th'], '/kr'],
    ['/get-started', '', ['th'], '/en/get-started'],
    ['/get-started', 'i18n_redirected=th', ['th'], '/en/get-started'],
    ['/xx/order', '', ['th'], '/en/xx/order'],
    ['/vn/order', '', ['th'], undefined],
    ['/vn//order', '', ['th'], '/vn/order'],
    ['//th///order/', '', ['en'], '/th/order/'],
    ['//get-started', '', ['th'], '/en/get-started'],
    ['//', '', ['th'], '/th'],
    ['/jp', '', ['th'], undefined],
  ])('%s with cookie "%s" and %j leads to %s', (path, cookies, preferred, target) => {
    expect(pathWithLanguage(path, cookies, preferred)).toBe(target);
  });

  test('an unknown value of the cookie is no language', () => {
    expect(rememberedLanguage('i18n_redirected=zz')).toBeUndefined();
    expect(rememberedLanguage('xi18n_redirected=th')).toBeUndefined();
  });

  test('the first texts follow the address', () => {
    expect(languageOfAddress('#/th/order?plan=solo', '', ['ja'])).toBe('th');
    expect(languageOfAddress('', '', ['ja'])).toBe('jp');
    expect(languageOfAddress('#/order', '', ['ja'])).toBe('en');
  });

  test('a switch keeps the rest of the path', () => {
    expect(pathInLanguage('/en/management/subscription/x', 'mm')).toBe('/mm/management/subscription/x');
  });
});
