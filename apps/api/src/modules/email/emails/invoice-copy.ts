import { documentFor, documentRefOf } from '../../billing/index.ts';
import { defineEmail } from '../define-email.ts';

/**
 * A document for a further recipient that its buyer has named: no link to the account, because it is somebody else's.
 * `copy`: the kind of the document and the recipient's place in the list.
 */
export const invoiceCopy = defineEmail({
  name: 'invoiceCopy',
  async load({ db, subjectId, copy = '' }) {
    const found = await documentFor(db, documentRefOf(copy, subjectId));
    const to = found?.buyer.company?.recipients?.[Number(copy.split('-')[1])];
    return found && to ? { ...found, to, company: found.buyer.company!.name } : undefined;
  },
  to: ({ to }) => to,
  content: ({ t }, { number, company }) => ({
    subject: t('invoiceCopy.subject', { number, company }),
    preview: t('invoiceCopy.body', { number, company }),
    paragraphs: [t('invoiceCopy.body', { number, company })],
  }),
  attachment: async (_context, { number, pdf }) => ({ fileName: `${number}.pdf`, content: pdf }),
});
