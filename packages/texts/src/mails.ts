import { readFileSync } from 'node:fs';

type MailTexts = Record<string, string>;
const cache = new Map<string, MailTexts>();

/** Texts of the mails in a language; English where a language has none. */
export function mailTexts(language: string): MailTexts {
  const known = cache.get(language);
  if (known) return known;
  const read = (name: string): MailTexts =>
    JSON.parse(readFileSync(new URL(`./mails/${name}.json`, import.meta.url), 'utf8'));
  let texts = read('en');
  try {
    texts = { ...texts, ...read(language) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  cache.set(language, texts);
  return texts;
}
