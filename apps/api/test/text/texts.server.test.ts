import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { documentHtml } from '@fixpoint/texts/documents.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import {
  createMaintenance,
  emailTexts,
  listTexts,
  setText,
  textHandlers,
  unsetText,
} from '../../src/modules/text/index.ts';
import { runCommand } from '../helpers/shop-command.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({
    COMPANY_NAME: 'Ring & Co., Ltd.',
    COMPANY_ADDRESS: '1 Ring Road, Bangkok',
    COMPANY_TAX_ID: '0105567000000',
  });
});
afterAll(() => shop?.stop());

// Each command is a process of its own, which a busy machine starts slowly.
const command = (...args: string[]) => runCommand(databaseSettings(shop.databaseUrls), ...args);
const texts = async (lang: 'en' | 'th', version?: string) =>
  (await shop.client.text.uiText({ query: { lang, version } })).data!;

/** What a key says as soon as it is not what it said: a text is repeated from memory for a moment. */
const saidSoon = (lang: 'en' | 'th', key: string, before: string | undefined) =>
  until(async () => {
    const said = await texts(lang);
    return said.uiText![key] !== before && said;
  }, `another text of ${key}`);

test('a text of the operator’s own is served within seconds, with another version, until it is unset', async () => {
  const before = await texts('th');
  const was = before.uiText!['plans.title'];
  await command('text', 'set', 'th', 'plans.title', 'ราคาของเรา');
  const after = await saidSoon('th', 'plans.title', was);
  expect(after.uiText!['plans.title']).toBe('ราคาของเรา');
  expect(after.version).not.toBe(before.version);
  expect((await texts('en')).uiText!['plans.title']).not.toBe('ราคาของเรา');
  const own = (await listTexts(shop.db, 'th')).filter(text => text.own);
  expect(own).toEqual([{ key: 'plans.title', text: 'ราคาของเรา', own: true }]);
  await unsetText(shop.db, 'th', 'plans.title');
  expect(await saidSoon('th', 'plans.title', 'ราคาของเรา')).toEqual(before);
});

test('every node says it, also one that was running before', async () => {
  const other = openDatabase(shop.databaseUrl, 1);
  const operator = { brand: 'x', company: '', address: '', taxId: '', support: 'x' };
  const node = textHandlers({ db: other.db, operator, maintenance: createMaintenance(other.db) });
  const read = () => node.uiText({ query: { lang: 'en' }, body: {}, params: {} } as never);
  const { version } = await read();
  await setText(shop.db, 'en', 'nav.menu', 'All pages');
  await until(async () => (await read()).version !== version, 'the other node');
  expect(await read()).toMatchObject({ uiText: { 'nav.menu': 'All pages' } });
  await unsetText(shop.db, 'en', 'nav.menu');
  await other.close();
});

test('emails that are written in one second, each in a transaction of its own, share their texts', async () => {
  const inTransaction = () => shop.db.transaction().execute(tx => emailTexts(tx, 'th'));
  // Both within the second even where one began at its end.
  const [first, second, third] = [await inTransaction(), await inTransaction(), await inTransaction()];
  expect([first, third]).toContain(second);
});

test('who has the version already is sent nothing but it', async () => {
  const { version } = await texts('th');
  expect(await texts('th', version)).toEqual({ version });
  expect((await texts('th', 'older')).uiText).toBeDefined();
});

test('a text that would make a false or a broken sentence is refused', async () => {
  await expect(setText(shop.db, 'en', 'order.pay', 'Pay now')).rejects.toThrow('must have the arguments');
  const mistake = await command('text', 'set', 'en', 'no.such.key', 'x').catch(error => error);
  expect(mistake).toMatchObject({ code: 1, stderr: 'there is no text no.such.key\n' });
});

test('a region of the operator’s own gets its name, also in languages that have none', async () => {
  const saidInThai = async (before?: string) =>
    (await saidSoon('th', 'region.de-fra', before)).uiText!['region.de-fra'];
  await setText(shop.db, 'en', 'region.de-fra', 'Frankfurt');
  expect(await saidInThai()).toBe('Frankfurt');
  await setText(shop.db, 'th', 'region.de-fra', 'แฟรงก์เฟิร์ต');
  expect(await saidInThai('Frankfurt')).toBe('แฟรงก์เฟิร์ต');
});

test('a text of an email can be said otherwise, and is no text of the screens', async () => {
  await setText(shop.db, 'en', 'email.closing', 'Yours, {brand}');
  expect((await emailTexts(shop.db, 'en')).closing).toBe('Yours, {brand}');
  expect(Object.keys((await texts('en')).uiText!)).not.toContain('email.closing');
  await unsetText(shop.db, 'en', 'email.closing');
});

test('FU9 terms and privacy policy name the operator in every language and show no placeholder', async () => {
  for (const code of languageCodes) {
    const client = createClient(shop.url);
    const asked = { 'accept-language': languages[code].tag };
    const terms = await client.text.getTerm({}, asked);
    // What it is, and the id itself.
    expect(terms.data!.html, code).toMatch(/<p>[^<\d]+0105567000000<\/p>/);
    for (const answer of [terms, await client.text.getPolicy({}, asked)]) {
      const { html } = answer.data!;
      expect(html, code).toContain('Ring &#38; Co., Ltd.');
      expect(html, code).toContain('1 Ring Road, Bangkok');
      expect(html, code).not.toMatch(/[{}]/);
    }
    // Where there is none, nothing is said about one.
    const untaxed = { brand: 'x', company: 'Ring', address: '1 Ring Road', taxId: '', support: 'x' };
    expect(documentHtml('terms', code, untaxed), code).not.toMatch(/<p>[^<]*[:：៖-]\s*<\/p>/);
  }
});
