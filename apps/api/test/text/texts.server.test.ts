import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { documentHtml, documentVersion } from '@fixpoint/texts/documents.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import {
  createMaintenance,
  emailTexts,
  keepLegalTexts,
  keptText,
  type LegalText,
  listTexts,
  setText,
  textHandlers,
  unsetText,
} from '../../src/modules/text/index.ts';
import { proveHuman } from '../helpers/people.ts';
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

const command = (...args: string[]) => runCommand(databaseSettings(shop.databaseUrls), ...args);
const texts = async (lang: 'en' | 'th', version?: string) =>
  (await shop.client.text.uiText({ query: { lang, version } })).data!;

/** Waits until a text changes, because it is cached for a moment. */
const changedText = (lang: 'en' | 'th', key: string, before: string | undefined) =>
  until(async () => {
    const served = await texts(lang);
    return served.uiText![key] !== before && served;
  }, `another text of ${key}`);

test('a text override is served within seconds, with another version, until it is unset', async () => {
  const before = await texts('th');
  const was = before.uiText!['plans.title'];
  await command('text', 'set', 'th', 'plans.title', 'ราคาของเรา');
  const after = await changedText('th', 'plans.title', was);
  expect(after.uiText!['plans.title']).toBe('ราคาของเรา');
  expect(after.version).not.toBe(before.version);
  expect((await texts('en')).uiText!['plans.title']).not.toBe('ราคาของเรา');
  const own = (await listTexts(shop.db, 'th')).filter(text => text.own);
  expect(own).toEqual([{ key: 'plans.title', text: 'ราคาของเรา', own: true }]);
  await unsetText(shop.db, 'th', 'plans.title');
  expect(await changedText('th', 'plans.title', 'ราคาของเรา')).toEqual(before);
});

test('every node serves an override, also one that was already running', async () => {
  const other = openDatabase(shop.databaseUrl, 1);
  const operator = { brand: 'x', company: '', address: '', taxId: '', support: 'x' };
  const maintenance = createMaintenance(other.db);
  const node = textHandlers({ db: other.db, operator, maintenance });
  const read = () => node.uiText({ query: { lang: 'en' }, body: {}, params: {} } as never);
  const { version } = await read();
  await setText(shop.db, 'en', 'nav.menu', 'All pages');
  await until(async () => (await read()).version !== version, 'the other node');
  expect(await read()).toMatchObject({ uiText: { 'nav.menu': 'All pages' } });
  await unsetText(shop.db, 'en', 'nav.menu');
  await other.close();
});

test('emails that are written within one second, in separate transactions, share cached texts', async () => {
  const inTransaction = () => shop.db.transaction().execute(tx => emailTexts(tx, 'th'));
  // Both within the cache lifetime, even when the first began at its end.
  const [first, second, third] = [await inTransaction(), await inTransaction(), await inTransaction()];
  expect([first, third]).toContain(second);
});

test('a client that has the version already gets only the version', async () => {
  const { version } = await texts('th');
  expect(await texts('th', version)).toEqual({ version });
  expect((await texts('th', 'older')).uiText).toBeDefined();
});

test('an override with wrong arguments or syntax is refused', async () => {
  await expect(setText(shop.db, 'en', 'order.pay', 'Pay now')).rejects.toThrow('must have the arguments');
  const mistake = await command('text', 'set', 'en', 'no.such.key', 'x').catch(error => error);
  expect(mistake).toMatchObject({ code: 1, stderr: 'there is no text no.such.key\n' });
});

test('an own region gets a name, also in languages without one', async () => {
  const nameInThai = async (before?: string) =>
    (await changedText('th', 'region.de-fra', before)).uiText!['region.de-fra'];
  await setText(shop.db, 'en', 'region.de-fra', 'Frankfurt');
  expect(await nameInThai()).toBe('Frankfurt');
  await setText(shop.db, 'th', 'region.de-fra', 'แฟรงก์เฟิร์ต');
  expect(await nameInThai('Frankfurt')).toBe('แฟรงก์เฟิร์ต');
});

test('a text of an email can be overridden, and is not served to screens', async () => {
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
    // Label and ID.
    expect(terms.data!.html, code).toMatch(/<p>[^<\d]+0105567000000<\/p>/);
    for (const answer of [terms, await client.text.getPolicy({}, asked)]) {
      const { html } = answer.data!;
      expect(html, code).toContain('Ring &#38; Co., Ltd.');
      expect(html, code).toContain('1 Ring Road, Bangkok');
      expect(html, code).not.toMatch(/[{}]/);
    }
    // Without an ID there is no label either.
    const untaxed = { brand: 'x', company: 'Ring', address: '1 Ring Road', taxId: '', support: 'x' };
    expect(documentHtml('terms', code, untaxed), code).not.toMatch(/<p>[^<]*[:：៖-]\s*<\/p>/);
  }
});

test('OP10 S46 customers accept the operator’s own terms; the built-in ones are another version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-legal-'));
  await writeFile(join(folder, 'terms.en.html'), '<p>{brand} asks for this.</p>');
  const own = await startTestShop({ LEGAL_TEXTS_DIR: folder });
  try {
    const { version, html } = (await own.client.text.getTerm({}, { 'accept-language': 'th' })).data!;
    expect(html).toBe('<p>Fixpoint asks for this.</p>');
    const register = async (termsVersion: string) => {
      const humanCheck = await proveHuman(own);
      const body = {
        email: 'new@example.com',
        password: PASSWORD,
        language: 'th',
        termsVersion,
        humanCheck,
      } as const;
      return own.client.customer.register({ body });
    };
    expect(await register(documentVersion('terms'))).toMatchObject({
      data: { fields: { termsVersion: 'form.terms.changed' } },
    });
    expect((await register(version)).code).toBe('0000');
  } finally {
    await own.stop();
    await rm(folder, { recursive: true });
  }
});

test('OP10 the wording that a customer accepted stays readable after the terms have changed', async () => {
  const operator = { brand: 'Ring', company: '', address: '', taxId: '', support: 'help@ring.example' };
  const { db, clock } = shop;
  const shopWith = async (terms: Partial<Record<Language, string>>) => {
    await keepLegalTexts(db, clock.now(), operator, { terms });
    const maintenance = createMaintenance(db);
    const { getTerm } = textHandlers({ db, operator, legalTexts: { terms }, maintenance });
    return (language: Language, version?: string) =>
      getTerm({ query: { version } } as never, { language } as never);
  };
  const before = await shopWith({ en: '<p>{brand} first</p>', th: '<p>{brand} แรก</p>' });
  const accepted = (await before('th')) as LegalText;
  const after = await shopWith({ en: '<p>second</p>' });
  expect(await after('th')).toMatchObject({ html: '<p>second</p>' });
  expect(await after('th', accepted.version)).toEqual({ version: accepted.version, html: '<p>Ring แรก</p>' });
  // A language that has no wording of its own.
  expect(await after('jp', accepted.version)).toMatchObject({ html: '<p>Ring first</p>' });
  const { version, html } = (await shop.client.text.getTerm()).data!;
  expect(await keptText(db, 'terms', version, 'en')).toEqual({ version, html });
  expect(await shop.client.text.getTerm({ query: { version: 'unknown' } })).toMatchObject({
    code: '7004',
    data: { fields: { version: 'form.invalid' } },
  });
});
