import { readFileSync } from 'node:fs';
import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { describe, expect, test } from 'vitest';
import { written } from './bundles.ts';
import { argumentsOf } from './message-arguments.ts';
import { missingTexts } from './testing/missing-texts.ts';

const sameAsEnglish: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('./same-as-english.json', import.meta.url), 'utf8'),
);

/** Texts that are the same everywhere: names, units and placeholders. */
const sameEverywhere = (text: string): boolean => !/\p{L}{3,}/u.test(text.replace(/\{[^{}]*\}/g, ''));

const others = languageCodes.filter(language => language !== 'en');

describe.each(['bundles', 'emails'] as const)('%s', kind => {
  const english = written[kind].en;

  test('every language has every text, and no other', () => {
    expect(missingTexts(written[kind])).toEqual([]);
  });

  test.each(others)('%s has the arguments of the English texts', language => {
    for (const [key, text] of Object.entries(written[kind][language])) {
      if (english[key]) expect(argumentsOf(text), `${language} ${key}`).toEqual(argumentsOf(english[key]));
    }
  });

  test.each(others)('%s is translated', language => {
    const texts = written[kind][language];
    const allowed = new Set(sameAsEnglish[language] ?? []);
    const untranslated = Object.keys(english).filter(
      key => texts[key] === english[key] && !sameEverywhere(english[key]!) && !allowed.has(key),
    );
    expect(untranslated).toEqual([]);
  });
});

test('FO12 a missing translation is reported by language and key, once', () => {
  const { 'app.loading': _, ...lacking } = written.bundles.th;
  const extra = { ...written.bundles.jp, 'app.old': 'x' };
  expect(missingTexts({ ...written.bundles, th: lacking, jp: extra })).toEqual([
    'th lacks app.loading',
    'jp has app.old, which en has not',
  ]);
});

test.each(others)('%s lists only texts that equal the English ones', language => {
  const stale = (sameAsEnglish[language] ?? []).filter(
    key =>
      written.bundles[language][key] !== written.bundles.en[key] ||
      written.emails[language][key] !== written.emails.en[key],
  );
  expect(stale).toEqual([]);
});

test.each(others)('%s has terms and a privacy policy with the same sections', language => {
  for (const name of ['terms', 'privacy']) {
    const lines = (folder: string) =>
      readFileSync(new URL(`./documents/${folder}/${name}.html`, import.meta.url), 'utf8')
        .trim()
        .split('\n')
        .map(line => [line.match(/<[^>]+>/g), line.match(/\{\w+\}/g)?.sort()]);
    expect(lines(language), languages[language].tag).toEqual(lines('en'));
  }
});

/** Accessible names of buttons in lists, and the visible words on them. */
const namesOfButtons = {
  'account.sessions.end.label': 'account.sessions.end',
  'account.remove.label': 'account.remove',
};

test.each(languageCodes)('%s: the visible words on a button are part of its accessible name', language => {
  const texts = written.bundles[language];
  for (const [name, words] of Object.entries(namesOfButtons)) {
    expect(texts[name]!.toLowerCase(), 'WCAG 2.5.3').toContain(texts[words]!.toLowerCase());
  }
});

test('a text that mentions a label of the screen takes it as an argument, so that both stay the same', () => {
  const labels = new Set(Object.values(written.bundles.en));
  const quoted = [...Object.entries(written.bundles.en), ...Object.entries(written.emails.en)].filter(
    ([, text]) => [...text.matchAll(/“([^”]+)”/g)].some(([, words]) => labels.has(words!)),
  );
  expect(quoted.map(([key]) => key)).toEqual([]);
});
