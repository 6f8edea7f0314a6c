import type { EmailContent } from './email-content.ts';

/** A subscription as emails name it: its plan, and what tells it apart from others of the same plan. */
export type Named = { plan: string; address: string };

/** Name of a subscription in subjects and tables: "Solo 203.0.113.48". The plan alone once its address is gone. */
export const subscriptionName = ({ plan, address }: Named): string =>
  [plan, address].filter(Boolean).join(' ');

/** Puts before a subject that names only the plan what tells the subscription apart: a phone shows some forty signs. */
export const withName = (content: EmailContent, { address }: Named): EmailContent => ({
  ...content,
  subject: [address, content.subject].filter(Boolean).join(' · '),
});
