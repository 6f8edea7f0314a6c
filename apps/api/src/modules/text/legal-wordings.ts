import { DEFAULT_LANGUAGE, languageCodes } from '@fixpoint/contract/languages.ts';
import {
  type DocumentName,
  documentHtml,
  documentVersion,
  type OperatorData,
  type OwnLegalTexts,
} from '@fixpoint/texts/documents.ts';
import type { Db } from '../../ports/database.ts';

export type LegalText = { version: string; html: string };

/** Keeps the legal texts of this version in each language that has a wording of its own, unless they are kept already. */
export async function keepLegalTexts(
  db: Db,
  now: Date,
  operator: OperatorData,
  own: OwnLegalTexts = {},
): Promise<void> {
  const kept = await db.selectFrom('legal_wording').select(['document', 'version', 'language']).execute();
  const keyOf = (...parts: string[]) => parts.join(' ');
  const known = new Set(kept.map(each => keyOf(each.document, each.version, each.language)));
  const rows = (['terms', 'privacy'] as const).flatMap(document => {
    const version = documentVersion(document, own);
    return languageCodes
      .filter(language => !own[document] || own[document][language])
      .filter(language => !known.has(keyOf(document, version, language)))
      .map(language => {
        const html = documentHtml(document, language, operator, own);
        return { document, version, language, html, since: now };
      });
  });
  if (rows.length === 0) return;
  await db
    .insertInto('legal_wording')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** An earlier legal text in a language, or in English where it had none there; undefined: no such version. */
export const keptText = (
  db: Db,
  document: DocumentName,
  version: string,
  language: string,
): Promise<LegalText | undefined> =>
  db
    .selectFrom('legal_wording')
    .select(['version', 'html'])
    .where('document', '=', document)
    .where('version', '=', version)
    .where('language', 'in', [language, DEFAULT_LANGUAGE])
    .orderBy(({ eb }) => eb('language', '=', language), 'desc')
    .limit(1)
    .executeTakeFirst();
