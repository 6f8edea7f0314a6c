import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DEFAULT_LANGUAGE, type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { joinWords } from './word-joiners.ts';

/** ICU messages by key. */
export type Bundle = Readonly<Record<string, string>>;

const read = (kind: 'bundles' | 'emails') =>
  Object.fromEntries(
    languageCodes.map(language => [
      language,
      JSON.parse(readFileSync(new URL(`./${kind}/${language}.json`, import.meta.url), 'utf8')),
    ]),
  ) as Record<Language, Bundle>;

/** Texts of screens and emails as stored in the files, read once. A language may lack keys. */
export const written = { bundles: read('bundles'), emails: read('emails') } as const;

/** Text overrides of an operator, by language and key. */
export type Overrides = Partial<Record<Language, Bundle>>;

const complete = (texts: Record<Language, Bundle>, language: Language, overrides: Overrides): Bundle => ({
  ...texts[DEFAULT_LANGUAGE],
  ...overrides[DEFAULT_LANGUAGE],
  ...texts[language],
  ...overrides[language],
});

const joined = (language: Language, texts: Bundle): Bundle =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, joinWords(language, text)]));

/** Texts of the screens with joiners for line breaking. */
const shown = Object.fromEntries(
  languageCodes.map(language => [language, joined(language, written.bundles[language])]),
) as Record<Language, Bundle>;

/** All texts of the screens in a language; missing ones are English. */
export const loadBundle = (language: Language, overrides: Overrides = {}): Bundle =>
  complete(shown, language, { ...overrides, [language]: joined(language, overrides[language] ?? {}) });

/** All texts of the emails in a language; missing ones are English. */
export const loadEmails = (language: Language, overrides: Overrides = {}): Bundle =>
  complete(written.emails, language, overrides);

/** Changes with every text, so that the web client fetches the bundle again. */
export const bundleVersion = (bundle: Bundle): string =>
  createHash('sha256').update(JSON.stringify(bundle)).digest('base64url').slice(0, 16);
