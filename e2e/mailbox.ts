import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { testStack } from './env.ts';

type Mail = { Subject: string; Text: string };

/** An address that no other journey uses. */
export const freshAddress = () => `buyer-${randomBytes(6).toString('hex')}@example.com`;

/** The link to set the first password, out of the letter to an address. */
export async function passwordLink(address: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const letters = await lettersTo(address);
        link = letters.map(letter => /https?:\S*token=[\w-]+/.exec(letter.Text)?.[0]).find(Boolean);
        return link;
      },
      { message: `a letter with a link to ${address}`, timeout: 10_000 },
    )
    .toBeTruthy();
  return link!;
}

async function lettersTo(address: string): Promise<Mail[]> {
  const mail = `${testStack().sandboxUrl}/mail/api/v1`;
  const found = await fetch(`${mail}/search?query=${encodeURIComponent(`to:${address}`)}`);
  const { messages } = (await found.json()) as { messages: { ID: string }[] };
  return Promise.all(
    messages.map(async ({ ID }) => (await (await fetch(`${mail}/message/${ID}`)).json()) as Mail),
  );
}
