import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Language } from '@fixpoint/contract/languages.ts';
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

const read = (name: DocumentName, language: string): string =>
  readFileSync(new URL(`./documents/${language}/${name}.html`, import.meta.url), 'utf8');

/**
 * Version of a legal text: a hash of its English wording, stored with each order that accepted it
 * (S46).
 */
export const documentVersion = (name: DocumentName): string =>
  createHash('sha256').update(read(name, 'en')).digest('hex').slice(0, 12);

/** A legal text as HTML with the operator's data. Paragraphs about missing data are left out. */
export function documentHtml(name: DocumentName, language: Language, operator: OperatorData): string {
  const values: Record<string, string> = { ...operator, owner: operator.company || operator.brand };
  return read(name, language)
    .split('\n')
    .filter(line => [...line.matchAll(/\{(\w+)\}/g)].every(([, key]) => values[key!]))
    .join('\n')
    .replace(/\{(\w+)\}/g, (_, key: string) => escaped(values[key]!));
}
