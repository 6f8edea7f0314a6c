import type { Language } from '@fixpoint/contract/languages.ts';
import type { BrandColours } from '@fixpoint/domain/brand/palette.ts';
import type { DateText } from '@fixpoint/texts/format.ts';
import { fillMessage } from '@fixpoint/texts/message.ts';
import type { Db } from '../../ports/database.ts';
import type { LineText } from '../../ports/json-columns.ts';
import { emailTexts, uiTexts } from './overrides.ts';

/** How the shop calls itself and looks; colours: those that the operator gave. */
export type Brand = { name: string; support: string; colours?: BrandColours };

/** Returns a text of the emails in the reader's language, with its placeholders filled. */
export type Translate = (key: string, values?: Record<string, string | number>) => string;

/** Texts of emails and documents in the language of their reader. */
export type Translator = {
  t: Translate;
  /** A text of the screens, which an email or a document says in the same words. */
  ui: Translate;
  dates: DateText;
  /** The name of a region or a plan as on the screens; undefined where the texts have none. */
  nameOf(kind: 'region' | 'plans.name', id: string): string | undefined;
  /** The name of a browser and its system as in the list of sessions. */
  device(names: { browser: string; system: string }): string;
};

/** Loads the texts of emails and screens in a language, with the operator's text overrides. */
export async function loadTranslator(db: Db, language: Language, brand: Brand): Promise<Translator> {
  const [texts, ui] = [await emailTexts(db, language), await uiTexts(db, language)];
  // An email that quotes a link calls it as the screen does.
  const always = { brand: brand.name, support: brand.support, forgot: ui['forgot.title']! };
  return {
    t: (key, values) => fillMessage(texts[key]!, language, { ...always, ...values }),
    ui: (key, values) => fillMessage(ui[key]!, language, values),
    dates: (key, values) => fillMessage(ui[key]!, language, values),
    nameOf: (kind, id) => ui[`${kind}.${id}`],
    device: names => fillMessage(ui['account.sessions.name']!, language, names),
  };
}

/** Describes what a line of an invoice is for, and for which subscription. */
export function invoiceLineText(t: Translate, line: LineText): string {
  const { kind, plan, place: region, cycleCount: months, days = 0, label, address } = line;
  const item =
    kind === 'period'
      ? t('receipt.itemText', { plan, region, months })
      : t(kind === 'days' ? 'receipt.daysText' : 'receipt.unusedText', { plan, region, days });
  return [item, label, address].filter(Boolean).join(' · ');
}
