import type { Db } from '../../ports/database.ts';
import { type DocumentOf, documentFor } from '../billing/index.ts';
import type { EmailContent } from './email-content.ts';

/** The document of that number as its email takes it along; nothing where none could be printed. */
export async function attached(
  db: Db,
  of: DocumentOf,
  number: string,
): Promise<Pick<EmailContent, 'attached'>> {
  const document = await documentFor(db, of);
  return document ? { attached: { fileName: `${number}.pdf`, content: document.pdf } } : {};
}
