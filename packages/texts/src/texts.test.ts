import { existsSync, readFileSync } from 'node:fs';
import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';

const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** Names of the arguments of a message, also those inside of plural and select. */
function argumentsOf(message: string): string[] {
  const names = new Set<string>();
  const walk = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      names.add(element.value);
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        for (const option of Object.values(element.options)) walk(option.value);
      }
      if (element.type === TYPE.tag) walk(element.children);
    }
  };
  walk(parse(message));
  return [...names].sort();
}

/** Texts that are the same everywhere: names, units and words that are only a placeholder. */
const sameEverywhere = (text: string): boolean => !/\p{L}{3,}/u.test(text.replace(/\{[^{}]*\}/g, ''));

const others = languageCodes.filter(language => language !== 'en');

describe.each(['bundles', 'mails'])('%s', kind => {
  const english = read(`./${kind}/en.json`);

  test.each(others)('%s has every text, with the arguments of the English one', language => {
    expect(existsSync(new URL(`./${kind}/${language}.json`, import.meta.url))).toBe(true);
    const texts = read(`./${kind}/${language}.json`);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim(), `${language} ${key}`).not.toBe('');
      expect(argumentsOf(text), `${language} ${key}`).toEqual(argumentsOf(english[key]!));
    }
  });

  test.each(others)('%s is translated', language => {
    const texts = read(`./${kind}/${language}.json`);
    const allowed = new Set(read('./same-as-english.json')[language] ?? []);
    const untranslated = Object.keys(english).filter(
      key => texts[key] === english[key] && !sameEverywhere(english[key]!) && !allowed.has(key),
    );
    expect(untranslated).toEqual([]);
  });
});

test.each(others)('%s has terms and a privacy policy with the same sections', language => {
  for (const name of ['terms', 'privacy']) {
    const html = (folder: string) =>
      readFileSync(new URL(`./documents/${folder}/${name}.html`, import.meta.url), 'utf8');
    const tags = (text: string) => text.match(/<[^>]+>|\{\w+\}/g);
    expect(tags(html(language)), languages[language].tag).toEqual(tags(html('en')));
  }
});
