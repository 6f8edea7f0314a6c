import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { variantsOf } from '@fixpoint/texts/message-variants.ts';
import { glossaryOf, type Text, violations } from './glossary-rules.ts';

/* Checks the texts of each language against its glossary in docs/texts. */

const read = (path: string) => readFile(join(root, path), 'utf8');

const messages = (kind: 'bundles' | 'emails', from: Text['from'], language: Language): Text[] =>
  Object.entries(written[kind][language]).map(([key, text]) => ({
    from,
    key,
    english: written[kind].en[key] ?? '',
    variants: variantsOf(text),
  }));

async function lines(language: Language, name: 'terms' | 'privacy'): Promise<Text[]> {
  const html = await read(`packages/texts/src/documents/${language}/${name}.html`);
  return html
    .trim()
    .split('\n')
    .map((line, index) => ({
      from: 'documents',
      key: `${name}.html:${index + 1}`,
      english: '',
      variants: [line.replace(/<[^>]*>/g, '')],
    }));
}

const problems: string[] = [];
for (const language of languageCodes) {
  const page = `docs/texts/${language}.md`;
  const glossary = glossaryOf(await read(page));
  const texts = [
    ...messages('bundles', 'screens', language),
    ...messages('emails', 'emails', language),
    ...(await lines(language, 'terms')),
    ...(await lines(language, 'privacy')),
  ];
  problems.push(
    ...glossary.faults.map(fault => `${page}: ${fault}`),
    ...violations(glossary, texts).map(problem => `${language} ${problem}`),
  );
}
for (const problem of problems) console.error(problem);
console.log(`${languageCodes.length} glossaries`);
if (problems.length > 0) process.exit(1);
