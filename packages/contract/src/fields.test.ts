import { expect, test } from 'vitest';
import {
  codeRule,
  emailRule,
  keyNameOf,
  keyNameRule,
  normalCode,
  numberOf,
  portRule,
  rateRule,
} from './fields.ts';
import { company } from './schema.ts';

test.each([
  ['Anna’s laptop', 'Annas-laptop'],
  ['-Office_PC 2.', 'Office_PC-2'],
  ['  Büro / Küche  ', 'Buro-Kuche'],
  ['โทรศัพท์ของแอน', 'ios'],
  ['', 'ios'],
  ['CON', 'ios'],
  ['...', 'ios'],
  ['4242 4242 4242 4242', 'ios'],
  ['x'.repeat(80), 'x'.repeat(60)],
])('K2 the nearest key name that the rule allows: %s → %s', (label, name) => {
  expect(keyNameOf(label, 'ios', [])).toBe(name);
  expect(keyNameRule(name)).toBeUndefined();
});

test('K2 a name that is taken gets a number', () => {
  expect(keyNameOf('Laptop', 'windows', ['LAPTOP', 'laptop-2'])).toBe('Laptop-3');
});

test.each(['8080', ' ８０８０ ', '๘๐๘๐', '໘໐໘໐', '៨០៨០', '၈၀၈၀', '८०८०'])(
  'numbers may be typed in the digits of every supported language: %s',
  typed => {
    expect(portRule(typed)).toBeUndefined();
    expect(rateRule(10_000)(typed)).toBeUndefined();
    expect(numberOf(typed)).toBe(8080);
  },
);

test.each(['０１２ ３４５', '๐๑๒-๓๔๕', '໐໑໒໓໔໕', '០១២៣៤៥', '၀၁၂၃၄၅', '०१२३४५'])(
  'codes may, too: %s',
  typed => {
    expect(codeRule(typed)).toBeUndefined();
    expect(normalCode(typed)).toBe('012345');
  },
);

test.each(['๐๑๐๕๕๖๗๐๐๐๐๐๕', '０１０５５６７０００００５', '၀၁၀၅၅၆၇၀၀၀၀၀၅'])(
  'and the numbers of a company: %s',
  typed => {
    const numbers = { taxId: typed, branch: typed.slice(0, 5), postcode: typed.slice(-5) };
    expect(company.parse({ name: 'Siam', country: 'TH', line1: '1', ...numbers })).toMatchObject({
      taxId: '0105567000005',
      branch: '01055',
      postcode: '00005',
    });
  },
);

test.each([
  'ann@example.com',
  'A.n-n+x@mail.example.co.th',
  "o'neil@example.xn--o3cw4h",
  'a@b.co',
  ' ann@example.com ',
])('W40 %s is an address', typed => {
  expect(emailRule(typed)).toBeUndefined();
});

test.each([
  'a..b@example.com',
  '.ann@example.com',
  'ann.@example.com',
  'ann@example..com',
  'ann@-example.com',
  'ann@example-.com',
  'ann@.example.com',
  'ann@example.com.',
  'ann@example',
  'ann@192.0.2.1',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a'.repeat(64)}.com`,
  'ann@ann@example.com',
  'ann example@example.com',
  'อร@example.com',
])('BG12 no mail server delivers to %s', typed => {
  expect(emailRule(typed)).toBe('form.email.invalid');
});
