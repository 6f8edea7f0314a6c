import { describe, expect, test } from 'vitest';
import { suggestEmail } from './email-typo.ts';

describe('FU6 an address that looks mistyped', () => {
  test.each([
    ['anna@gmial.com', 'anna@gmail.com'],
    ['anna@gmail.con', 'anna@gmail.com'],
    ['anna@gnail.com', 'anna@gmail.com'],
    ['Anna.B@Hotmial.com', 'Anna.B@hotmail.com'],
    ['anna@yahoo.co', 'anna@yahoo.com'],
    ['anna@yaho.co.jp', 'anna@yahoo.co.jp'],
    ['anna@outlok.com', 'anna@outlook.com'],
    ['anna@iclod.com', 'anna@icloud.com'],
    ['anna@navre.com', 'anna@naver.com'],
    ['anna@example.con', 'anna@example.com'],
  ])('%s gets the suggestion %s', (typed, suggestion) => {
    expect(suggestEmail(typed)).toBe(suggestion);
  });

  test.each([
    'anna@gmail.com',
    'anna@mail.com',
    'anna@ymail.com',
    'anna@email.com',
    'anna@yahoo.co.uk',
    'anna@example.com',
    'anna@fixpoint.example',
    'anna@chula.ac.th',
    'anna@hot.com',
    // The same provider in another country.
    'anna@outlook.kr',
    'anna@outlook.de',
    'anna@yahoo.com.tw',
    'anna@yahoo.com.br',
    'anna@yahoo.co.kr',
    'anna@yandex.kz',
    'anna@proton.ch',
    'anna@company.co',
    'anna@',
    'anna',
    '',
  ])('%s gets no suggestion', typed => {
    expect(suggestEmail(typed)).toBeUndefined();
  });
});
