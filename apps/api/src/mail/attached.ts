import { type DocumentOf, documentFor } from '../modules/billing/index.ts';
import type { Db } from '../ports/database.ts';
import type { LetterContent } from './letter-content.ts';

/** The document of that number as its letter takes it along; nothing where none could be printed. */
export async function attached(
  db: Db,
  of: DocumentOf,
  number: string,
): Promise<Pick<LetterContent, 'attached'>> {
  const document = await documentFor(db, of);
  return document ? { attached: { fileName: `${number}.pdf`, content: document.pdf } } : {};
}
