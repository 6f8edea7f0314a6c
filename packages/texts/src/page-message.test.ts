import { languageCodes } from '@fixpoint/contract/languages.ts';
import { expect, test } from 'vitest';
import { loadBundle } from './bundles.ts';
import { fillMessage } from './message.ts';
import { argumentsOf } from './message-arguments.ts';
import { formatMessage } from './page-message.ts';

test('plain messages keep placeholders without a value, and apostrophes', () => {
  expect(formatMessage('Pay {amount} to {name}', 'en', { amount: 'THB 1.00' })).toBe(
    'Pay THB 1.00 to {name}',
  );
  expect(formatMessage("Passwords don't match.", 'en')).toBe("Passwords don't match.");
});

test('plurals and selects follow the language, also nested', () => {
  const message =
    '{who, select, me {My {count, plural, =0 {no device} one {# device} other {# devices}}} other {Theirs}}.';
  const said = (count: number, who = 'me') => formatMessage(message, 'en', { who, count });
  expect([0, 1, 5, 1234].map(count => said(count))).toEqual([
    'My no device.',
    'My 1 device.',
    'My 5 devices.',
    'My 1,234 devices.',
  ]);
  expect(said(1, 'you')).toBe('Theirs.');
});

/** Sample values of an argument. */
const valuesOf = (kind: string | undefined): (string | number)[] =>
  kind === 'plural' ? [0, 1, 2, 5, 21, 1234] : [1, 3, 'A & B'];

test('pages format every message of the shop like the library does, in every language', () => {
  let compared = 0;
  for (const language of languageCodes) {
    for (const message of Object.values(loadBundle(language))) {
      const names = argumentsOf(message).map(each => each.split(' '));
      const rounds = names.some(([, kind]) => kind) ? 6 : 1;
      for (let index = 0; index < rounds; index++) {
        const args = Object.fromEntries(
          names.map(([name = '', kind]) => [name, valuesOf(kind)[index % valuesOf(kind).length]!]),
        );
        expect(formatMessage(message, language, args), `${language} ${message}`).toBe(
          fillMessage(message, language, args),
        );
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(10_000);
});
