import { type DocumentRef, documentFor } from '../../billing/index.ts';
import { defineEmail } from '../define-email.ts';

/** Sent with a document that could not be rendered when its own email was sent. `copy`: the kind of the document. */
export const documentLate = defineEmail({
  name: 'documentLate',
  toEndedAccounts: true,
  load: ({ db, subjectId, copy }) => documentFor(db, { kind: copy as DocumentRef['kind'], ofId: subjectId }),
  content: ({ t }, { number }) => ({
    subject: t('documentLate.subject', { number }),
    preview: t('documentLate.body', { number }),
    paragraphs: [t('documentLate.body', { number })],
  }),
  attachment: async (_context, { number, pdf }) => ({ fileName: `${number}.pdf`, content: pdf }),
});
