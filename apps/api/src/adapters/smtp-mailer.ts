import { createTransport } from 'nodemailer';
import type { Mailer } from '../ports/mailer.ts';

/** SMTP of the operator. Time-outs are short: a mail server that hangs delays a job, never a request. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url, { from });
  return {
    async send({ messageId, to, subject, text, html, language }) {
      await transport.sendMail({
        messageId,
        to,
        subject,
        text,
        html,
        headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
      });
    },
  };
}
