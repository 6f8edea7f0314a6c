import { passwordRule } from '@fixpoint/contract/fields.ts';
import { dictionary } from '@zxcvbn-ts/language-common';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weaknessOf } from './common-password.ts';

const leaked = new Set(dictionary['passwords-common']);
const own = ['marisol.vega@mailbox.example', 'Fixpoint'];
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const leet = (word: string) =>
  word.replace(/[aeios]/g, char => ({ a: '@', e: '3', i: '1', o: '0', s: '$' })[char]!);

test('S01 the 3,000 most leaked passwords are refused, also when they are decorated to satisfy the rule', () => {
  const decorations = ['1!', '2026!', '@123'];
  const made = dictionary['passwords-common']
    .slice(0, 3_000)
    .flatMap(word => (/\d/.test(word) ? [capital(word)] : [capital(word), capital(leet(word))]))
    .flatMap(word => decorations.flatMap(end => [`${word}${end}`, `${end}${word}`]))
    .filter(password => passwordRule(password) === undefined);
  expect(new Set(made).size).toBeGreaterThan(20_000);
  expect(made.filter(password => weaknessOf(password, leaked, own) === undefined)).toEqual([]);
});

test.each([
  'Passw0rd!',
  'P@ssw0rd1',
  'P@$$w0rd',
  'Qwerty123!',
  '1qaz!QAZ2wsx'.replace('!QAZ2wsx', '2WSX!'),
  'Abcd@1234',
  'Aa123456!',
  'Zaq12wsx!',
  'Aaaa1111!',
  'Fixpoint1!',
  'Marisol1!',
  'Marisol.vega1!'.replace('.', ''),
  'Mailbox2026$',
  'Loverlover1!',
  'Openvpn1!',
  'Maggie2026!',
])('S01 %s is refused', password => {
  expect(weaknessOf(password, leaked, [...own, 'marisolvega'])).toBeDefined();
});

const named = ['quillfeather.brax-zuq@post.example'];
test.each([
  // Letters that are replaced.
  ...['Wiregu4rd1!', '5ub$cr!p7ion1'],
  // The word twice.
  'Vpnvpn12!',
  // Parts of the customer's own address.
  ...['Quillfeather1!', 'Brax2026!', 'Braxbrax2026!'],
  // Eight digits and marks around a word.
  ...['1234567!Openvpn', 'Openvpn1234567!', '1234Openvpn567!'],
  // Four distinct characters.
  'Xjxj!x1j',
])('S01 %s is refused', password => {
  expect(weaknessOf(password, leaked, named)).toBeDefined();
});

test.each([
  // Parts of an address as short as this one occur in too many good passwords.
  'Zuq2026!',
  ...['12345678!Openvpn', 'Openvpn12345678!', '1234Openvpn5678!'],
  'Xjxj!x1k',
  // The same non-word twice.
  'Kettle7%kettle7%',
])('S01 %s is taken', password => {
  expect(weaknessOf(password, leaked, named)).toBeUndefined();
});

test.each(['Correct!horse1', 'Another!Horse2', 'tRq8&vplKw2', 'Blue7*kettle%Harbour', 'xK9$mPq2vL'])(
  'S01 %s is taken',
  password => {
    expect(weaknessOf(password, leaked, own)).toBeUndefined();
  },
);

test('S01 random passwords are taken', () => {
  const characters = fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789@$!%*?&');
  fc.assert(
    fc.property(fc.array(characters, { minLength: 14, maxLength: 128 }), password => {
      fc.pre(new Set(password.map(char => char.toLowerCase())).size > 8);
      expect(weaknessOf(password.join(''), leaked, own)).toBeUndefined();
    }),
  );
});
