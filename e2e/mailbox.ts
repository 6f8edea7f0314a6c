import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { testStack } from './env.ts';

type Mail = { Subject: string; Text: string; HTML: string };

/** An address that no other journey uses. */
export const freshAddress = () => `buyer-${randomBytes(6).toString('hex')}@example.com`;

/** The link to set the first password, out of the letter to an address. */
export const passwordLink = (address: string): Promise<string> =>
  inLetters(address, 'a link', /https?:\S*token=[\w-]+/);

/** The link to what is owed, out of a letter to an address. */
export const payLink = (address: string): Promise<string> =>
  inLetters(address, 'a link to pay', /https?:\S*\/pay\b/);

/** The code out of a letter to an address, on a line of its own; `known` are the codes of earlier letters. */
export const mailedCode = (address: string, known: string[] = []): Promise<string> =>
  inLetters(address, 'a code', /^\d{6}(?=\r?$)/m, known);

/** A letter is a job's, behind the printing of what it brings. The end of what does not come. */
const LETTER_MS = 60_000;

async function inLetters(address: string, what: string, pattern: RegExp, known: string[] = []) {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        const letters = await lettersTo(address);
        found = letters
          .map(letter => pattern.exec(letter.Text)?.[0])
          .find(hit => hit !== undefined && !known.includes(hit));
        return found;
      },
      { message: `a letter with ${what} to ${address}`, timeout: LETTER_MS },
    )
    .toBeTruthy();
  return found!;
}

/** All letters to an address, as soon as there are so many and one has that subject. */
export async function lettersWith(address: string, subject: string, atLeast: number): Promise<Mail[]> {
  let letters: Mail[] = [];
  await expect
    .poll(
      async () => {
        letters = await lettersTo(address);
        return letters.length < atLeast ? [] : letters.map(letter => letter.Subject);
      },
      { message: `a letter “${subject}” to ${address}`, timeout: LETTER_MS },
    )
    .toContain(subject);
  return letters;
}

async function lettersTo(address: string): Promise<Mail[]> {
  const mail = `${testStack().sandboxUrl}/mail/api/v1`;
  const found = await fetch(`${mail}/search?query=${encodeURIComponent(`to:${address}`)}`);
  const { messages } = (await found.json()) as { messages: { ID: string }[] };
  return Promise.all(
    messages.map(async ({ ID }) => (await (await fetch(`${mail}/message/${ID}`)).json()) as Mail),
  );
}
