import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({
    CHATWOOT_URL: 'https://chat.example.com/somewhere',
    CHATWOOT_TOKEN: 'inbox',
    SUPPORT_HOURS: 'daily 08:00-22:00',
  });
});
afterAll(() => shop?.stop());

test("the web client gets the chat's address, and the policy allows its frame alone", async () => {
  const answer = await fetch(`${shop.url}/config.json`);
  expect(await answer.json()).toMatchObject({
    CHATWOOT_URL: 'https://chat.example.com/somewhere',
    CHATWOOT_TOKEN: 'inbox',
    SUPPORT_HOURS: 'daily 08:00-22:00',
  });
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ');
  const naming = directives.filter(directive => directive.includes('chat.example.com'));
  expect(naming).toHaveLength(1);
  expect(naming[0]).toMatch(/^frame-src .*https:\/\/chat\.example\.com(?: |$)/);
});
