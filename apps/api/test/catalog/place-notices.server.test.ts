import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { emailTo } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { personal } from '../../src/compose/personal.ts';
import { createSendPlaceNotice } from '../../src/modules/email/index.ts';
import type { Email } from '../../src/ports/mailer.ts';
import { proveHuman } from '../helpers/people.ts';

const HOUR_MS = 60 * 60_000;
const REGION = 'th-bkk';
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
  // A place with a waiting list can always be bought.
  await shop.db.updateTable('offer').set({ waiting_list: false }).execute();
});
afterAll(() => shop?.stop());

const turnHosts = (from: string, to: string) =>
  sql`update host set status = ${to} where status = ${from} and region_id = ${REGION}`.execute(shop.db);
const sellOut = () => turnHosts('active', 'retired');
async function free() {
  await turnHosts('retired', 'active');
  // A host that has not reported lately takes nobody.
  await shop.host.report();
}
// Each test begins on another day, sold out.
beforeEach(async () => {
  shop.clock.advance(49 * HOUR_MS);
  await sellOut();
});

const ask = async (email: string, regionId = REGION, language = 'en-US') =>
  shop.client.guest.askPlaceNotice(
    { body: { regionId, email, humanCheck: await proveHuman(shop) } },
    { 'accept-language': language },
  );
const CONFIRM = /Please confirm/;
const FREE = /^An IP address in Bangkok is free$/;
const tokenTo = async (email: string, fits = CONFIRM) =>
  /place-notice\?token=([\w-]+)/.exec((await emailTo(shop, email, fits)).Text)![1]!;
/** Matching subjects of all emails to an address. */
async function subjectsTo(email: string, fits: RegExp): Promise<string[]> {
  const query = encodeURIComponent(`to:${email}`);
  const answer = await fetch(`${shop.sandboxUrl}/mail/api/v1/search?query=${query}`);
  const { messages } = (await answer.json()) as { messages: { Subject: string }[] };
  return messages.map(({ Subject }) => Subject).filter(subject => fits.test(subject));
}
const stored = async (email: string) =>
  (await shop.db.selectFrom('place_notice').selectAll().where('email', '=', email).execute()).length;

test('UX14 who confirms is told once that a sold-out place is free, and forgotten', async () => {
  const email = 'waits@example.com';
  expect(await ask(email)).toMatchObject({ code: '0000', data: {} });
  const token = await tokenTo(email);
  const body = { token };
  // Nobody else's place, and nothing before it is confirmed.
  await free();
  await shop.sweep();
  expect(await subjectsTo(email, FREE)).toHaveLength(0);
  await sellOut();
  expect((await shop.client.guest.placeNotice({ body })).data).toEqual({
    region: { id: REGION, name: 'Bangkok' },
    confirmed: false,
  });
  for (const _ of ['first', 'again'])
    expect((await shop.client.guest.confirmPlaceNotice({ body })).data).toMatchObject({ confirmed: true });
  await shop.sweep();
  expect(await subjectsTo(email, FREE)).toHaveLength(0);
  await free();
  await shop.sweep();
  const { Text } = await emailTo(shop, email, FREE);
  expect(Text).toContain('/#/en/get-started');
  expect(await stored(email)).toBe(0);
  await shop.sweep();
  expect(await subjectsTo(email, FREE)).toHaveLength(1);
  expect((await shop.client.guest.placeNotice({ body })).code).toBe('8003');
});

test('UX14 both emails are complete in every language', async () => {
  const sent: Email[] = [];
  const send = createSendPlaceNotice({
    db: shop.db,
    clock: shop.clock,
    mailer: { send: async email => void sent.push(email) },
    publicUrl: 'https://shop.example.com',
    brand: { name: 'Ring & Co', support: 'help@example.com' },
  });
  await free();
  const asked_at = shop.clock.now();
  const expires_at = new Date(asked_at.getTime() + HOUR_MS);
  for (const language of languageCodes)
    for (const confirmed_at of [null, asked_at]) {
      const id = `ntc_${language}`;
      await shop.db
        .insertInto('place_notice')
        .values({
          id,
          region_id: REGION,
          email: `${id}@x.test`,
          language,
          asked_at,
          confirmed_at,
          expires_at,
        })
        .onConflict(on => on.column('id').doUpdateSet({ confirmed_at }))
        .execute();
      await send({ noticeId: id });
      const email = sent.at(-1)!;
      const page = confirmed_at ? 'get-started' : 'place-notice?token=';
      expect(email.text, id).toContain(`https://shop.example.com/#/${language}/${page}`);
      expect(email.html, id).toContain(`lang="${languages[language].tag}"`);
      expect(`${email.subject} ${email.text}`, id).not.toMatch(/[{}]|undefined|\[object/);
      expect([...new Intl.Segmenter().segment(email.subject)].length, id).toBeLessThan(80);
    }
  expect(sent).toHaveLength(2 * languageCodes.length);
});

test('UX14 the email speaks the language of the page', async () => {
  await ask('thai@example.com', REGION, 'th-TH');
  expect((await emailTo(shop, 'thai@example.com', /ยืนยัน/)).Text).toContain('/#/th/place-notice?token=');
});

test('S17 a stranger’s address gets three emails in a day at most, and no answer tells addresses apart', async () => {
  const email = 'stranger@example.com';
  for (let n = 0; n < 5; n += 1) {
    expect(await ask(email)).toMatchObject({ status: 200, code: '0000', data: {} });
    // Two requests whose email is still waiting are one email.
    await shop.sweep();
    shop.clock.advance(HOUR_MS / 4);
  }
  expect(await subjectsTo(email, CONFIRM)).toHaveLength(3);
  expect(await ask(email, 'nowhere')).toMatchObject({ status: 400, code: '6003' });
  const unsolved = await shop.client.guest.askPlaceNotice({ body: { regionId: REGION, email } });
  expect(unsolved).toMatchObject({ status: 429, data: { humanCheck: true } });
  // What nobody confirms is erased after a day.
  shop.clock.advance(25 * HOUR_MS);
  await shop.sweep();
  expect(await stored(email)).toBe(0);
});

test('S83 an address is erased by its link, and with the account that has it', async () => {
  const email = 'erased@example.com';
  await ask(email);
  const token = await tokenTo(email);
  for (const code of ['0000', '8003'])
    expect((await shop.client.guest.deletePlaceNotice({ body: { token } })).code).toBe(code);
  expect(await stored(email)).toBe(0);
  await ask(email);
  expect(await stored(email)).toBe(1);
  for (const { erase } of personal) await erase?.(shop.db, { id: 'cus_none', email, pseudonym: 'gone' });
  expect(await stored(email)).toBe(0);
});

test('S83 a customer’s export names the places that they wait for, and all that a module exports', async () => {
  await free();
  const { client, email, subscriptionId } = await shop.customer('waiting');
  await client.subscription.addKey({ body: { subscriptionId, name: 'Laptop' } });
  await ask(email);
  await ask('another@example.com');
  const { data } = await client.account.exportData();
  expect(data).toMatchObject({ placeNotices: [{ regionId: REGION, confirmed: false }] });
  // The contract names it all, or the answer would leave some out.
  for (const { exportOf } of personal)
    expect(data).toMatchObject((await exportOf?.(shop.db, data!.account.id)) ?? {});
});
