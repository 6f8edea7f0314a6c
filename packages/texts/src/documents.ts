import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

export type DocumentName = 'terms' | 'privacy';

const file = (name: DocumentName, language: string) =>
  new URL(`./documents/${language}/${name}.html`, import.meta.url);

/** Version of a document: a hash of its English wording, stored with each order that agreed to it (S46). */
export const documentVersion = (name: DocumentName): string =>
  createHash('sha256')
    .update(readFileSync(file(name, 'en')))
    .digest('hex')
    .slice(0, 12);

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`);

/** A document as HTML with the operator's data filled in; English where a language has none. */
export function documentHtml(name: DocumentName, language: string, values: Record<string, string>): string {
  const translated = file(name, language);
  const html = readFileSync(existsSync(translated) ? translated : file(name, 'en'), 'utf8');
  return html.replace(/\{(\w+)\}/g, (whole, key: string) =>
    key in values ? escapeHtml(values[key]!) : whole,
  );
}
