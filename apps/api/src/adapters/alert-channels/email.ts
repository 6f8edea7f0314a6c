import { escaped } from '@fixpoint/texts/markup.ts';
import type { AlertChannel } from '../../ports/alert-channel.ts';
import type { Mailer } from '../../ports/mailer.ts';

/**
 * Emails to staff through the mail server of the shop. Sent again after one address was refused, it is the same email to the
 * others.
 */
export const createEmailChannel = (
  mailer: Mailer,
  { to, domain }: { to: readonly string[]; domain: string },
): AlertChannel => ({
  name: 'email',
  async send({ id, title, text }) {
    for (const [index, address] of to.entries())
      await mailer.send({
        messageId: `<${id}.${index}@${domain}>`,
        to: address,
        subject: title,
        text,
        html: `<pre style="white-space:pre-wrap;font:inherit">${escaped(text)}</pre>`,
        language: 'en',
      });
  },
});
