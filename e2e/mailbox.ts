import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { testStack } from './env.ts';

type Email = { Subject: string; Text: string; HTML: string };

/** Creates an address that no other journey uses. */
export const freshAddress = () => `buyer-${randomBytes(6).toString('hex')}@example.com`;

/** Waits for the link to set the first password in an email to an address. */
export const passwordLink = (address: string): Promise<string> =>
  inEmails(address, 'a link', /https?:\S*token=\S+/);

/** Waits for the link that pays an open invoice in an email to an address; `known` are those of earlier invoices. */
export const payLink = (address: string, known: string[] = []): Promise<string> =>
  inEmails(address, 'a link to pay', /https?:\S*\/pay\?token=\S+/, known);

/** Waits for the link of the email that asks to confirm a notice about a sold-out place. */
export const noticeLink = (address: string): Promise<string> =>
  inEmails(address, 'a link to confirm', /https?:\S*place-notice\?token=[\w-]+/);

/** Waits for the link that undoes the change of an address, in an email to the previous one. */
export const undoLink = (address: string): Promise<string> =>
  inEmails(address, 'a link to undo', /https?:\S*undo-email\?token=[\w.-]+/);

/** Waits for the link of an invitation in an email to an address. */
export const invitationLink = (address: string): Promise<string> =>
  inEmails(address, 'an invitation', /https?:\S*invitation\?token=[\w.-]+/);

/** Waits for a code on a line of its own in an email to an address; `known` are the codes of earlier emails. */
export const emailedCode = (address: string, known: string[] = []): Promise<string> =>
  inEmails(address, 'a code', /^\d{6}(?=\r?$)/m, known);

/** Timeout for an email; a job sends it after it has generated the attached documents. */
const EMAIL_MS = 60_000;

async function inEmails(address: string, what: string, pattern: RegExp, known: string[] = []) {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        const emails = await emailsTo(address);
        found = emails
          .map(message => pattern.exec(message.Text)?.[0])
          .find(hit => hit !== undefined && !known.includes(hit));
        return found;
      },
      { message: `a letter with ${what} to ${address}`, timeout: EMAIL_MS },
    )
    .toBeTruthy();
  return found!;
}

/** Waits until there are `atLeast` emails to an address and one has that subject. @returns all of them */
export async function emailsWith(address: string, subject: string, atLeast: number): Promise<Email[]> {
  let emails: Email[] = [];
  await expect
    .poll(
      async () => {
        emails = await emailsTo(address);
        return emails.length < atLeast ? [] : emails.map(message => message.Subject);
      },
      { message: `a letter “${subject}” to ${address}`, timeout: EMAIL_MS },
    )
    .toContainEqual(expect.stringContaining(subject));
  return emails;
}

/** Every email to an address, the newest first. */
export async function emailsTo(address: string): Promise<Email[]> {
  const mail = `${testStack().sandboxUrl}/mail/api/v1`;
  const found = await fetch(`${mail}/search?query=${encodeURIComponent(`to:${address}`)}`);
  const { messages } = (await found.json()) as { messages: { ID: string }[] };
  return Promise.all(
    messages.map(async ({ ID }) => (await (await fetch(`${mail}/message/${ID}`)).json()) as Email),
  );
}
