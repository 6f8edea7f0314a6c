import type { EmailContext } from './define-email.ts';
import type { EmailContent } from './email-content.ts';

type Action = NonNullable<EmailContent['action']>;

/** Link to the page of a subscription. Default: that of the email. */
export const toSubscription = ({ t, pageUrl, pageAt }: EmailContext, id?: string): Action => ({
  label: t('ready.action'),
  url: id ? pageAt(`management/subscription/${id}`) : pageUrl,
});

/** Link to the page that pays the subscription's open renewal invoice. */
export const toPayment = ({ t, pageUrl }: EmailContext): Action => ({
  label: t('renewalDue.action'),
  url: `${pageUrl}/pay`,
});
