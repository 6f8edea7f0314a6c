import { undisplayable } from '../adapters/typst/displayable.ts';
import type { Env } from '../env/env.ts';
import type { Db } from '../ports/database.ts';

/** Such as `🚀 (U+1F680)`. */
const named = (character: string): string =>
  `${character} (U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')})`;

/** The characters of a text that documents cannot show, as a list for staff; undefined where there are none. */
export function undisplayableIn(text: string): string | undefined {
  const found = undisplayable(text);
  return found.length > 0 ? found.map(named).join(', ') : undefined;
}

/** Whether a text stands on documents: names of plans and regions, labels, lines. */
const isOnDocuments = (key: string): boolean =>
  /^(plans\.name\.|region\.|email\.(document|receipt)\.)/.test(key);

/** Warns where a text override has characters that documents cannot show. */
export const overrideWarnings = (key: string, text: string): string[] =>
  isOnDocuments(key) ? warningOf(key, text) : [];

/** Warns where names of the catalogue have characters that documents cannot show. */
export const nameWarnings = ({ regions }: { regions: Record<string, { name: string }> }): string[] =>
  Object.entries(regions).flatMap(([id, { name }]) => warningOf(`regions.${id}.name`, name));

/** Warns where settings, names or text overrides have characters that documents cannot show. */
export async function displayWarnings(
  db: Db,
  env: Pick<Env, 'BRAND_NAME' | 'COMPANY_NAME' | 'COMPANY_ADDRESS' | 'COMPANY_TAX_ID'>,
  catalogue: Parameters<typeof nameWarnings>[0],
): Promise<string[]> {
  const { BRAND_NAME, COMPANY_NAME, COMPANY_ADDRESS, COMPANY_TAX_ID } = env;
  const settings = { BRAND_NAME, COMPANY_NAME, COMPANY_ADDRESS, COMPANY_TAX_ID };
  const overrides = await db
    .selectFrom('text_override')
    .selectAll()
    .orderBy('key')
    .orderBy('language')
    .execute();
  return [
    ...Object.entries(settings).flatMap(([name, value]) => warningOf(name, value)),
    ...nameWarnings(catalogue),
    ...overrides.flatMap(({ language, key, text }) =>
      isOnDocuments(key) ? warningOf(`text ${language} ${key}`, text) : [],
    ),
  ];
}

function warningOf(where: string, text: string): string[] {
  const found = undisplayableIn(text);
  return found ? [`Invoices and receipts print \u{fffd} for ${found} in ${where}. Write it without.`] : [];
}
