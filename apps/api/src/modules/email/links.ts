import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';

type Action = NonNullable<EmailContent['action']>;

/** Link to the subscription's page. */
export const toSubscription = ({ t, pageUrl }: EmailContext): Action => ({
  label: t('ready.action'),
  url: pageUrl,
});

/** Link to the page that pays the subscription's open renewal invoice. */
export const toPayment = ({ t, pageUrl }: EmailContext): Action => ({
  label: t('renewalDue.action'),
  url: `${pageUrl}/pay`,
});
