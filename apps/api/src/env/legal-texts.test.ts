import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentHtml, documentVersion, type OwnLegalTexts } from '@fixpoint/texts/documents.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSetting } from './in-words.ts';
import { schema } from './schema.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-legal-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
async function read(files: Record<string, string>) {
  const at = join(folder, String(count++));
  await mkdir(at);
  for (const [name, html] of Object.entries(files)) await writeFile(join(at, name), html);
  return readSetting('LEGAL_TEXTS_DIR', schema.shape.LEGAL_TEXTS_DIR, at);
}
const textsOf = async (files: Record<string, string>) =>
  ((await read(files)) as { value: OwnLegalTexts }).value;

const operator = {
  brand: 'Ring',
  company: 'Ring & Co.',
  address: '',
  taxId: '',
  support: 'help@ring.example',
};
const english =
  '<h2>Our terms</h2>\n<p>{owner} sells. Tax ID: {taxId}</p>\n<p>{company}: <a href="https://ring.example">read on</a></p>';

test('OP10 the operator’s own terms replace the built-in ones in every language, English where they have none', async () => {
  const own = await textsOf({ 'terms.en.html': english, 'terms.th.html': '<p>ข้อกำหนดของ {brand}</p>' });
  expect(documentHtml('terms', 'th', operator, own)).toBe('<p>ข้อกำหนดของ Ring</p>');
  // Lines whose setting is empty are left out.
  for (const language of ['en', 'kh'] as const)
    expect(documentHtml('terms', language, operator, own)).toBe(
      '<h2>Our terms</h2>\n<p>Ring &#38; Co.: <a href="https://ring.example">read on</a></p>',
    );
  expect(documentHtml('privacy', 'th', operator, own)).toBe(documentHtml('privacy', 'th', operator));
});

test('OP10 each change of the wording, in any language, is another version', async () => {
  const versions = [
    documentVersion('terms'),
    documentVersion('terms', await textsOf({ 'terms.en.html': english })),
    documentVersion('terms', await textsOf({ 'terms.en.html': `${english} ` })),
    documentVersion('terms', await textsOf({ 'terms.en.html': english, 'terms.th.html': '<p>1</p>' })),
    documentVersion('terms', await textsOf({ 'terms.en.html': english, 'terms.th.html': '<p>2</p>' })),
  ];
  expect(new Set(versions).size).toBe(versions.length);
  for (const version of versions) expect(version).toMatch(/^[0-9a-f]{12}$/);
  expect(documentVersion('terms', await textsOf({ 'privacy.en.html': english }))).toBe(versions[0]);
});

test.each([
  [{}, 'has no terms.en.html'],
  [{ 'terms.th.html': '<p>x</p>' }, 'terms.en.html is missing'],
  [{ 'term.en.html': '<p>x</p>' }, 'term.en.html must be named'],
  [{ 'terms.thai.html': '<p>x</p>' }, 'terms.thai.html must be named'],
  [{ 'terms.en.html': 'Our terms' }, 'must be HTML'],
  [{ 'terms.en.html': '<p>x</p><script>hit()</script>' }, 'has <script>'],
  [{ 'terms.en.html': '<!doctype html><p>x</p>' }, 'has <!doctype>'],
  [{ 'terms.en.html': '<p onclick="hit()">x</p>' }, 'has <p> with attributes'],
  [{ 'terms.en.html': '<a href="javascript:hit()">x</a>' }, 'has <a> with attributes'],
  [{ 'terms.en.html': '<p>{firm}</p>' }, 'has {firm}; known are {brand}'],
])('S53 OP12 what is wrong with a folder of texts is said: %o', async (files, says) => {
  expect(await read(files as Record<string, string>)).toEqual({ fault: expect.stringContaining(says) });
});

test('OP12 a folder that is not there is said', () => {
  expect(readSetting('LEGAL_TEXTS_DIR', schema.shape.LEGAL_TEXTS_DIR, join(folder, 'none'))).toEqual({
    fault: 'LEGAL_TEXTS_DIR: there is no such folder. Example: LEGAL_TEXTS_DIR=/etc/fixpoint/legal',
  });
});
