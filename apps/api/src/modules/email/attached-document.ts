import type { EmailAttachment } from '../../ports/mailer.ts';
import { type DocumentRef, documentFor } from '../billing/index.ts';
import type { EmailContext } from './define-email.ts';

/** Attaches a document under its number; undefined where none could be rendered. */
export async function attachedDocument(
  { db }: EmailContext,
  of: DocumentRef,
  number: string,
): Promise<EmailAttachment | undefined> {
  const document = await documentFor(db, of);
  return document && { fileName: `${number}.pdf`, content: document.pdf };
}
