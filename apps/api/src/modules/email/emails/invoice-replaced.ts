import { renderedReplacement } from '../../billing/index.ts';
import { defineEmail } from '../define-email.ts';

/** Sent with a document that replaces a paid invoice's. */
export const invoiceReplaced = defineEmail({
  name: 'replaced',
  toEndedAccounts: true,
  load: ({ db, subjectId }) => renderedReplacement(db, subjectId).executeTakeFirst(),
  content: ({ t }, { number, replaces: replaced }) => ({
    subject: t('replaced.subject', { number }),
    preview: t('replaced.body', { number, replaced }),
    paragraphs: [t('replaced.body', { number, replaced })],
  }),
  attachment: async (_context, { number, pdf }) => ({ fileName: `${number}.pdf`, content: pdf! }),
});
