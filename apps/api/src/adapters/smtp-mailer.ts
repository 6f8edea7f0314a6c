import { createTransport } from 'nodemailer';
import type { MailServer } from '../ports/mailer.ts';

/** A mail server on this machine. All others require TLS, because emails contain log-in links. */
const isLocal = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

/**
 * The operator's SMTP server. Timeouts are short; a hanging server delays a job, never a request.
 * @param replyTo the support address: answers go there, whatever address sends
 */
export function createSmtpMailer(url: string, from: string, replyTo: string): MailServer {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  return mailerBy({ url, requireTLS: !isLocal(url), ...timeouts }, { from, replyTo });
}

/** Composes each email and passes it to a transport of nodemailer, then to `taken`. */
export function mailerBy(
  options: Parameters<typeof createTransport>[0],
  sender: { from: string; replyTo: string },
  taken: (sent: { message?: Buffer }) => Promise<void> = async () => {},
): MailServer {
  // The library can fetch parts of an email from files and URLs; ours have none (S61).
  const transport = createTransport(options, { ...sender, disableFileAccess: true, disableUrlAccess: true });
  return {
    async check() {
      try {
        await transport.verify();
      } catch (error) {
        withoutAddress(error as Parameters<typeof withoutAddress>[0]);
      }
    },

    async send({ messageId, to, subject, text, html, language, attachments = [] }) {
      // A line break would start an injected header (S17).
      if (/[\r\n]/.test(to + subject))
        throw new Error('a line break in the address or the subject of an email');
      const message = {
        messageId,
        // An object is always one address; a string would be parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
        html,
        attachments: attachments.map(({ fileName, content }) => ({
          filename: fileName,
          content,
          contentType: 'application/pdf',
        })),
        headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
      };
      await transport.sendMail(message).then(taken).catch(withoutAddress);
    },
  };
}

/**
 * Removes the address that a mail server repeats in its refusal, because errors are logged and
 * stored with jobs (S82).
 */
function withoutAddress(error: { code?: string; responseCode?: number; command?: string }): never {
  const { code = 'unknown', responseCode = '', command = '' } = error;
  const verb = /^[A-Z]+( TO| FROM)?/.exec(command)?.[0] ?? '';
  throw Object.assign(
    new Error(`the mail server did not take an email: ${code} ${responseCode} ${verb}`.trim()),
    {
      code,
    },
  );
}
