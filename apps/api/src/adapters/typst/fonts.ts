import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language } from '@fixpoint/contract/languages.ts';

const require = createRequire(import.meta.url);

/** A file of a package, found by its main file: some let nothing else be looked up. */
const fileOf = (name: string, path: string) => join(dirname(require.resolve(name)), path);

/** Noto (OFL) for every script that we write; regular and bold. The family's name is the one in the file. */
const expo = (folder: string, name: string) =>
  ['400Regular', '700Bold'].map(weight =>
    fileOf(`@expo-google-fonts/${folder}`, `${weight}/${name}_${weight}.ttf`),
  );
const embed = (folder: string, name: string) =>
  ['Regular', 'Bold'].map(weight => fileOf(`@embedpdf/fonts-${folder}`, `../fonts/${name}-${weight}.otf`));
export const families: Record<string, readonly string[]> = {
  'Noto Sans': expo('noto-sans', 'NotoSans'),
  'Noto Sans Thai': expo('noto-sans-thai', 'NotoSansThai'),
  'Noto Sans Khmer': expo('noto-sans-khmer', 'NotoSansKhmer'),
  'Noto Sans Lao': expo('noto-sans-lao', 'NotoSansLao'),
  'Noto Sans Myanmar': expo('noto-sans-myanmar', 'NotoSansMyanmar'),
  'Noto Sans Devanagari': expo('noto-sans-devanagari', 'NotoSansDevanagari'),
  'Noto Sans Japanese': embed('jp', 'NotoSansJP'),
  'Noto Sans Korean': embed('kr', 'NotoSansKR'),
  'Noto Sans S Chinese': embed('sc', 'NotoSansHans'),
};

/** The same sign is drawn differently in Chinese, Japanese and Korean: each language asks its own font first. */
const own: Partial<Record<Language, string>> = {
  jp: 'Noto Sans Japanese',
  kr: 'Noto Sans Korean',
  cn: 'Noto Sans S Chinese',
};

/** Names of the fonts, in the order in which they are asked for a character. */
export function fontsFor(language: Language): string[] {
  const [latin, ...others] = Object.keys(families);
  return [...new Set([latin!, own[language] ?? latin!, ...others])];
}

/** The large ones: nine tenths of all, for a few readers. */
const large = new Set(Object.values(own));

/** Whether a language is written in one of the large ones. */
export const needsLarge = (language: Language): boolean => own[language] !== undefined;

/** All of them, or all but the large ones, read from the packages. */
export const fontFiles = (withLarge: boolean): Buffer[] =>
  Object.entries(families)
    .filter(([family]) => withLarge || !large.has(family))
    .flatMap(([, files]) => files.map(file => readFileSync(file)));
