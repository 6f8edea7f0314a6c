import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DEFAULT_LANGUAGE, type Language } from '@fixpoint/contract/languages.ts';
import { escaped } from './markup.ts';

export type DocumentName = 'terms' | 'privacy';

/** Operator of the shop, as named in legal texts. Empty values are left out. */
export type OperatorData = {
  brand: string;
  company: string;
  address: string;
  taxId: string;
  support: string;
};

/** Legal texts of the operator's own; each that there is has an English wording. */
export type OwnLegalTexts = { [Name in DocumentName]?: Partial<Record<Language, string>> };

/** What stands in braces in a legal text. */
export const LEGAL_PLACEHOLDERS: readonly string[] = [
  ...(['brand', 'company', 'address', 'taxId', 'support'] satisfies (keyof OperatorData)[]),
  'owner',
];

const read = (name: DocumentName, language: string): string =>
  readFileSync(new URL(`./documents/${language}/${name}.html`, import.meta.url), 'utf8');

/**
 * Version of a legal text, stored with each order that accepted it (S46): a hash of its English wording, or of an own text in
 * all of its languages.
 */
export function documentVersion(name: DocumentName, own: OwnLegalTexts = {}): string {
  const wording = own[name] ? JSON.stringify(Object.entries(own[name]).sort()) : read(name, 'en');
  return createHash('sha256').update(wording).digest('hex').slice(0, 12);
}

/** A legal text as HTML with the operator's data. Lines about missing data are left out. */
export function documentHtml(
  name: DocumentName,
  language: Language,
  operator: OperatorData,
  own: OwnLegalTexts = {},
): string {
  const values: Record<string, string> = { ...operator, owner: operator.company || operator.brand };
  // A built-in translation would contradict the operator's own English text.
  const wording = own[name] ? (own[name][language] ?? own[name][DEFAULT_LANGUAGE]!) : read(name, language);
  return wording
    .split('\n')
    .filter(line => [...line.matchAll(/\{(\w+)\}/g)].every(([, key]) => values[key!]))
    .join('\n')
    .replace(/\{(\w+)\}/g, (_, key: string) => escaped(values[key]!));
}
