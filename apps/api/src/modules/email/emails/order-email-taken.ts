import { defineEmail, nothing } from '../define-email.ts';

/**
 * Sent to the owner of an address that a buyer entered for an order, when that address already has an account. Only its
 * owner learns that it does.
 */
export const orderEmailTaken = defineEmail({
  name: 'emailTaken',
  load: nothing,
  content({ t }) {
    const body = t('emailTaken.body');
    return { subject: t('accountExists.subject'), preview: body, paragraphs: [body] };
  },
});
