import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Language } from '@fixpoint/contract/languages.ts';

const require = createRequire(import.meta.url);

/**
 * A file of a package, located by its main file, because some packages do not export other paths.
 */
const fileOf = (name: string, path: string) => join(dirname(require.resolve(name)), path);

/**
 * Noto fonts (OFL) for every script of the shop, regular and bold. The keys are the family names in
 * the files.
 */
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

/**
 * Chinese, Japanese and Korean draw the same characters differently, so each language prefers its
 * own font.
 */
const own: Partial<Record<Language, string>> = {
  jp: 'Noto Sans Japanese',
  kr: 'Noto Sans Korean',
  cn: 'Noto Sans S Chinese',
};

/** Font families in the order of preference. */
export function fontsFor(language: Language): string[] {
  const [latin, ...others] = Object.keys(families);
  return [...new Set([latin!, own[language] ?? latin!, ...others])];
}

/** The large fonts: nine tenths of the size, for few documents. */
export const large = new Set(Object.values(own));

/** Whether a language needs one of the large fonts. */
export const needsLarge = (language: Language): boolean => own[language] !== undefined;

/** Reads all fonts, or all but the large ones. */
export const fontFiles = (withLarge: boolean): Buffer[] =>
  Object.entries(families)
    .filter(([family]) => withLarge || !large.has(family))
    .flatMap(([, files]) => files.map(file => readFileSync(file)));
