import { type Language, languageOrDefault } from '@fixpoint/contract/languages.ts';
import type { Bundle } from '@fixpoint/texts/bundles.ts';
import type { Db } from '../../ports/database.ts';
import { uiTexts } from './overrides.ts';

export type Names = {
  plan(id: string): string;
  /** @param own the operator's name, as fallback when the texts have none */
  region(id: string, own: string): string;
};

const REGION = 'region.';

/** Names of plans and regions as the screens show them. */
const namesOf = (texts: Bundle): Names => ({
  plan: id => texts[`plans.name.${id}`] ?? id.charAt(0).toUpperCase() + id.slice(1),
  region: (id, own) => texts[`region.${id}`] ?? own,
});

/** Ids of the regions whose shown name holds `part`. */
export async function regionsNamed(db: Db, language: Language, part: string): Promise<string[]> {
  const wanted = part.toLowerCase();
  return Object.entries(await uiTexts(db, language))
    .filter(([key, text]) => key.startsWith(REGION) && text.toLowerCase().includes(wanted))
    .map(([key]) => key.slice(REGION.length));
}

export const namesIn = async (db: Db, language: string): Promise<Names> =>
  namesOf(await uiTexts(db, languageOrDefault(language)));
