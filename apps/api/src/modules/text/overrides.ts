import { DEFAULT_LANGUAGE, type Language } from '@fixpoint/contract/languages.ts';
import { type Bundle, loadBundle, loadEmails, type Overrides } from '@fixpoint/texts/bundles.ts';
import { EMAIL_PREFIX, overrideFault } from '@fixpoint/texts/override.ts';
import type { Db } from '../../ports/database.ts';

/**
 * Overrides a text. Every node serves it within seconds.
 * @throws Error for an unknown key, or arguments that differ from the English text
 */
export async function setText(db: Db, language: Language, key: string, text: string): Promise<void> {
  const fault = overrideFault(key, text);
  if (fault) throw new Error(fault);
  await db
    .insertInto('text_override')
    .values({ language, key, text })
    .onConflict(conflict => conflict.columns(['language', 'key']).doUpdateSet({ text }))
    .execute();
}

/** Removes an override. @returns whether there was one */
export async function unsetText(db: Db, language: Language, key: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('text_override')
    .where('language', '=', language)
    .where('key', '=', key)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** All present texts of a language, emails included; `own`: overridden by the operator. */
export async function listTexts(
  db: Db,
  language: Language,
): Promise<{ key: string; text: string; own: boolean }[]> {
  const { ui, emails } = await readOverrides(db, language);
  const all = (texts: Bundle, own: Bundle = {}, prefix = '') =>
    Object.entries(texts).map(([key, text]) => ({ key: prefix + key, text, own: key in own }));
  return [
    ...all(loadBundle(language, ui), ui[language]),
    ...all(loadEmails(language, emails), emails[language], EMAIL_PREFIX),
  ];
}

/** The texts of the emails in a language. */
export const emailTexts = async (db: Db, language: Language): Promise<Bundle> =>
  (await textsIn(db, language)).emails;

/** The texts of the screens in a language. */
export const uiTexts = async (db: Db, language: Language): Promise<Bundle> =>
  (await textsIn(db, language)).ui;

/** A purchase reads texts six times, so they are cached this long. */
const CACHE_MS = 1_000;
type Texts = { ui: Bundle; emails: Bundle };
/** Keyed by the adapter, which all transactions of a database share. */
const cache = new WeakMap<object, Map<Language, { texts: Texts; until: number }>>();

async function textsIn(db: Db, language: Language): Promise<Texts> {
  const { adapter } = db.getExecutor();
  const known = cache.get(adapter) ?? new Map();
  cache.set(adapter, known);
  const last = known.get(language);
  if (last && performance.now() < last.until) return last.texts;
  const { ui, emails } = await readOverrides(db, language);
  const texts = { ui: loadBundle(language, ui), emails: loadEmails(language, emails) };
  known.set(language, { texts, until: performance.now() + CACHE_MS });
  return texts;
}

async function readOverrides(db: Db, language: Language): Promise<{ ui: Overrides; emails: Overrides }> {
  const rows = await db
    .selectFrom('text_override')
    .selectAll()
    .where('language', 'in', [language, DEFAULT_LANGUAGE])
    .orderBy('key')
    .execute();
  const of = (own: (key: string) => string | undefined): Overrides => {
    const found: Overrides = {};
    for (const row of rows) {
      const key = own(row.key);
      const known = row.language as Language;
      if (key !== undefined) found[known] = { ...found[known], [key]: row.text };
    }
    return found;
  };
  return {
    ui: of(key => (key.startsWith(EMAIL_PREFIX) ? undefined : key)),
    emails: of(key => (key.startsWith(EMAIL_PREFIX) ? key.slice(EMAIL_PREFIX.length) : undefined)),
  };
}
