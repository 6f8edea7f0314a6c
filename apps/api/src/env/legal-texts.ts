import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LANGUAGE, type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { type DocumentName, LEGAL_PLACEHOLDERS, type OwnLegalTexts } from '@fixpoint/texts/documents.ts';
import { z } from 'zod';
import { text } from './fields.ts';

/** What the pages show of a legal text; they leave everything else out. */
const TAGS = 'h2 h3 h4 p ul ol li strong em b i br table thead tbody tr th td dl dt dd a'.split(' ');
const MOST_BYTES = 200_000;
const NAMES: readonly DocumentName[] = ['terms', 'privacy'];

class Wrong extends Error {}

/** What is wrong with a legal text; undefined: nothing. */
function faultOf(html: string): string | undefined {
  if (!html.includes('<')) return 'must be HTML, as <h2> and <p>';
  if (Buffer.byteLength(html) > MOST_BYTES) return `must be ${MOST_BYTES / 1000} kB or less`;
  for (const [, name = '', attributes = ''] of html.matchAll(/<\/?([^\s/>]*)([^>]*)>?/g)) {
    if (!TAGS.includes(name.toLowerCase())) return `has <${name}>; pages show ${TAGS.join(', ')} only`;
    const plain = attributes.replace(/\/$/, '').trim();
    if (plain && !(name === 'a' && /^href="(?:https:|mailto:|#)[^"<>]*"$/.test(plain)))
      return `has <${name}> with attributes; only <a href="https://…"> (or mailto:, #) may have one`;
  }
  const [, unknown] =
    [...html.matchAll(/\{(\w*)\}/g)].find(([, key]) => !LEGAL_PLACEHOLDERS.includes(key!)) ?? [];
  if (unknown !== undefined)
    return `has {${unknown}}; known are ${LEGAL_PLACEHOLDERS.map(key => `{${key}}`).join(', ')}`;
  return undefined;
}

/** Reads a folder of legal texts. @throws Wrong */
function readFolder(folder: string): OwnLegalTexts {
  const own: OwnLegalTexts = {};
  for (const file of readdirSync(folder)
    .filter(name => name.endsWith('.html'))
    .sort()) {
    const [name, language] = file.split('.') as [DocumentName, Language];
    if (!NAMES.includes(name) || !languageCodes.includes(language) || file.split('.').length !== 3)
      throw new Wrong(`${file} must be named terms.LANGUAGE.html or privacy.LANGUAGE.html`);
    const html = readFileSync(join(folder, file), 'utf8').replace(/^\u{feff}/u, '');
    const fault = faultOf(html);
    if (fault) throw new Wrong(`${file} ${fault}`);
    own[name] = { ...own[name], [language]: html };
  }
  if (Object.keys(own).length === 0) throw new Wrong('has no terms.en.html or privacy.en.html');
  for (const [name, texts] of Object.entries(own))
    if (!texts[DEFAULT_LANGUAGE])
      throw new Wrong(`${name}.${DEFAULT_LANGUAGE}.html is missing: it is shown in languages without a text`);
  return own;
}

/** Reads the operator's own legal texts as they are checked: the setting is the texts themselves. */
export const legalTexts = text
  .transform((folder, context) => {
    try {
      return readFolder(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const message =
        error instanceof Wrong
          ? error.message
          : code === 'ENOENT'
            ? 'there is no such folder'
            : `cannot be read by the user of the shop (${code})`;
      context.issues.push({ code: 'custom', message, input: folder });
      return z.NEVER;
    }
  })
  .optional();
