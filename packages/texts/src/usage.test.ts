import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { written } from './bundles.ts';
import { argumentsOf } from './message-arguments.ts';
import { textCalls } from './testing/text-calls.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const filesOf = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: name => /\.test\.tsx?$|node_modules/.test(name) });
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sourceOf = (...patterns: string[]): string =>
  filesOf(...patterns)
    .map(read)
    .join('\n');

/** Prefixes of keys whose end is known only at run time; each must occur in the source. */
const families = {
  screens: ['errorCode.', 'month.', 'plans.name.', 'region.'],
  emails: [
    ...['code.', 'loginChanged.', 'refundAsks.', 'cancelled.', 'resumed.', 'usageNear.', 'usageReached.'],
    ...['invitation.role.', 'teamJoined.role.'],
  ],
};

/** Every quoted string, and every beginning of a template. */
const literalsOf = (source: string) => ({
  whole: new Set([...source.matchAll(/['"`]([a-zA-Z][\w-]*(?:\.[\w-]+)*)['"`]/g)].map(found => found[1]!)),
  begun: new Set([...source.matchAll(/`([a-zA-Z][\w.-]*\.)\$\{/g)].map(found => found[1]!)),
});

const called = (source: string): string[] =>
  [...source.matchAll(/\b(?:t|translate)\(\s*'([\w.-]+)'/g)].map(found => found[1]!);

describe('texts of the screens', () => {
  const screens = sourceOf('{apps/web,packages/web-client}/src/**/*.{ts,tsx}');
  const source =
    screens +
    sourceOf(
      'packages/contract/src/**/*.ts',
      'packages/texts/src/format.ts',
      'apps/api/src/http/document.ts',
      'apps/api/src/modules/document/export-invoices.ts',
    );
  const { whole, begun } = literalsOf(source);
  const keys = Object.keys(written.bundles.en);

  test('every text is used', () => {
    const all = [...begun, ...families.screens];
    expect(keys.filter(key => !whole.has(key) && !all.some(family => key.startsWith(family)))).toEqual([]);
  });

  test('every text in use exists', () => {
    expect(called(screens).filter(key => !keys.includes(key))).toEqual([]);
    const ofFields = [...whole].filter(literal => /^form\.\w+\.\w+$/.test(literal));
    expect(ofFields.filter(key => !keys.includes(key))).toEqual([]);
  });

  test('every text gets its arguments: nobody sees “{date}”', () => {
    const calls = filesOf('{apps/web,packages/web-client}/src/**/*.{ts,tsx}').flatMap(file =>
      textCalls(file, read(file)),
    );
    const needs = (key: string) => argumentsOf(written.bundles.en[key]!).map(each => each.split(' ')[0]!);
    const lacking = calls.flatMap(({ at, given, ...call }) =>
      call.keys
        .flatMap(needs)
        .filter(name => !given.includes(name))
        .map(name => `${name} in ${at}`),
    );
    expect(lacking).toEqual([]);
    // Guards against a scan that finds nothing.
    expect(calls.filter(({ given }) => given.length > 0).length).toBeGreaterThan(100);
  });
});

describe('texts of the emails', () => {
  const source = sourceOf(
    'apps/api/src/modules/{email,document,text}/**/*.ts',
    'apps/api/src/modules/{payment/dispute/lost-dispute,checkout/credit-instead,checkout/withdraw}.ts',
  );
  const { whole } = literalsOf(source);
  const keys = Object.keys(written.emails.en);
  /** Emails without other content: their texts are derived from the template's name. */
  const notices = [...source.matchAll(/notice\('(\w+)'\)/g)].flatMap(([, name]) =>
    ['subject', 'preview', 'body'].map(part => `${name}.${part}`),
  );

  test('every text is used', () => {
    const used = (key: string) => whole.has(key) || families.emails.some(family => key.startsWith(family));
    expect(keys.filter(key => !used(key))).toEqual([]);
  });

  test('every text in use exists', () => {
    expect([...called(source), ...notices].filter(key => !keys.includes(key))).toEqual([]);
  });
});

test('U50 one module alone formats dates and numbers', () => {
  const source = sourceOf('{apps/{web,api},packages/{ui,web-client}}/src/**/*.{ts,tsx}');
  expect(
    source.match(/\.toLocale(Date|Time)?String\(|Intl\.(DateTime|Number|RelativeTime)Format/g),
  ).toBeNull();
});

test('pages use nothing of Intl but plural rules: the rest blocks a phone for 100 ms', () => {
  expect(
    sourceOf('{apps/web,packages/{ui,web-client}}/src/**/*.{ts,tsx}').match(
      /Intl\.(?!PluralRules)\w+|localeCompare\(/g,
    ),
  ).toBeNull();
});
