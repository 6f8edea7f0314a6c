import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerWithMany, emailsTo, liveUntil, promised } from '../email/many-subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;
const MONTHS = 13;
/** With an email for each event it was 500. */
const MOST = 60;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

test(`U76 forty subscriptions over ${MONTHS} months are at most ${MOST} emails, and nothing that the rules promise is lost`, async () => {
  const cycles = ([1, 3, 6, 12] as const).flatMap(cycle => Array.from({ length: 10 }, () => cycle));
  const many = await customerWithMany(shop, 'forty', cycles);
  await liveUntil(shop, new Date(shop.clock.now().getTime() + MONTHS * 30.5 * DAY_MS));
  const emails = await emailsTo(shop, many.email);
  const said = await promised(shop, many, emails);
  expect(said.filter(({ times, found }) => found !== times)).toEqual([]);
  expect(said.length).toBeGreaterThan(400);
  const counts = new Map<string, number>();
  for (const { Subject } of emails) {
    const kind = Subject.replace(/[\d.,]+|THB/g, '#');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  expect(emails.length, JSON.stringify([...counts])).toBeLessThanOrEqual(MOST);
}, 900_000);
