import { runLoadTest } from '@fixpoint/testkit/load-test/load-test.ts';
import { repeatCommand } from '@fixpoint/testkit/load-test/repeat-command.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../helpers/people.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop?.stop());

test('FM1 FM2 FM3 FM4 forty buyers in a load test with faults, by every payment method, lose no money and are charged nothing twice', async () => {
  const options = { buyers: 40, seed: '1', parallel: 8 };
  const wrong = await runLoadTest(shop, { ...options, signUp: email => signUp(shop, email) });
  expect(wrong.join('\n'), repeatCommand(options)).toBe('');
  // An idle machine needs half a minute, a busy one several.
}, 400_000);
