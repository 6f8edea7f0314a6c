import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicConfig } from '@fixpoint/contract/config.ts';
import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completeDocument } from './document.ts';
import { createServer } from './server.ts';
import { serveSite } from './site.ts';

const source = await readFile(new URL('../../../web/index.html', import.meta.url), 'utf8');
const paymentPage = '<html><head><title>Card details</title></head></html>';
const of = { brand: 'Ring & <Co>', support: 'help@ring.example', publicUrl: 'https://ring.example' };
let [app, folder] = [undefined as unknown as FastifyInstance, ''];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-site-'));
  await writeFile(join(folder, 'index.html'), source);
  await writeFile(join(folder, 'pay.html'), paymentPage);
  await mkdir(join(folder, 'assets'));
  for (const name of ['font.woff2', 'page.js']) await writeFile(join(folder, 'assets', name), '-');
  // A busy machine delays the event loop too.
  app = await createServer(false, [], 60_000);
  const config = { BRAND_NAME: of.brand, SUPPORT_EMAIL: of.support } as PublicConfig;
  await serveSite(app, { webDir: folder, config, look: {}, publicUrl: of.publicUrl, securityText: '' });
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8', ...headers } });

test('BG12 the page names the operator’s brand alone, in the language of the browser', async () => {
  const { body, headers } = await get('/', { 'accept-language': 'th-TH,th;q=0.9' });
  expect(headers.vary).toContain('accept-language');
  expect(body).toContain('<html lang="th-TH"');
  expect(body).toContain('<title>Ring &amp; &lt;Co&gt;</title>');
  for (const property of ['type', 'site_name', 'title', 'description', 'url'])
    expect(body).toContain(`<meta property="og:${property}" content="`);
  expect(body).not.toContain('Fixpoint');
  expect(body).not.toMatch(/<!--(head|notices)-->/);
});

test('a shop without a look of its own serves the pages as they are built', async () => {
  expect((await get('/')).body).toContain('data:image/svg+xml');
  for (const path of ['/brand.css', '/brand.svg']) expect((await get(path)).statusCode, path).toBe(404);
  expect((await get('/pay.html')).body).toBe(paymentPage);
});

test('the operator’s logo and colours are on every page, also on the payment page', async () => {
  const branded = await createServer(false, [], 60_000);
  const look = {
    logo: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
    action: '#005fcc',
  };
  const config = { BRAND_NAME: of.brand, SUPPORT_EMAIL: of.support } as PublicConfig;
  await serveSite(branded, { webDir: folder, config, look, publicUrl: of.publicUrl, securityText: '' });
  const read = (url: string) => branded.inject({ url, headers: { accept: 'text/html' } });
  const { body } = await read('/');
  const [, sheet = ''] = body.match(/<link rel="stylesheet" href="(\/brand\.css[^"]*)" \/>\s*<\/head>/) ?? [];
  const [, icon = ''] =
    body.match(/<link rel="icon" type="image\/svg\+xml" href="(\/brand\.svg[^"]*)"/) ?? [];
  expect((await read('/pay.html')).body).toContain(`href="${sheet}"`);
  const css = await read(sheet);
  expect(css.headers['content-type']).toContain('text/css');
  expect(css.body).toContain('--action:light-dark(#005fcc,');
  expect(css.body).toContain(`.logo-mark{background:url("${icon}")`);
  expect(css.body).not.toContain('--indigo');
  const drawing = await read(icon);
  expect([drawing.body, drawing.headers['content-type']]).toEqual([look.logo, 'image/svg+xml']);
  await branded.close();
});

test('BG12 browsers without JavaScript, and old ones, are told so in every language', () => {
  for (const language of languageCodes) {
    const page = completeDocument(source, language, of);
    expect(page, language).toContain(`lang="${languages[language].tag}"`);
    expect(page.match(/<p class="document-notice">[^<]*help@ring\.example/g), language).toHaveLength(2);
    expect(page, language).toMatch(/<noscript><p/);
    expect(page, language).toMatch(/<div id="old-browser" hidden>/);
  }
});

test('the page is compressed, and not sent again while it is unchanged', async () => {
  const first = await get('/', { 'accept-encoding': 'br, gzip' });
  expect(first.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'no-cache, no-transform',
  });
  const etag = String(first.headers.etag);
  const again = await get('/', { 'accept-encoding': 'br, gzip', 'if-none-match': etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect((await get('/', { 'if-none-match': etag })).statusCode).toBe(200);
  expect(
    (await get('/', { 'accept-encoding': 'br', 'accept-language': 'th', 'if-none-match': etag })).statusCode,
  ).toBe(200);
});

test('BG5 a link without its # leads to its screen; any other unknown path gets the shop’s page and 404', async () => {
  const moved = await get('/%23/en/auth/reset-password?token=secret');
  expect([moved.statusCode, moved.headers.location]).toEqual([302, '/#/en/auth/reset-password?token=secret']);
  expect(moved.headers['cache-control']).toBe('no-store');
  expect((await get('/th/order?plan=solo')).headers.location).toBe('/#/th/order?plan=solo');
  for (const path of ['/no/such/page', '/order', '/index.php']) {
    const { statusCode, body } = await get(path);
    expect([statusCode, body.includes('<div id="root">')], path).toEqual([404, true]);
  }
  // A program gets no page, and nothing is written by a redirect.
  expect((await get('/assets/gone.js', { accept: '*/*' })).body).toBe('Not found');
  expect((await app.inject({ method: 'POST', url: '/en/order' })).statusCode).toBe(404);
  expect((await get('/v1/nothing')).json()).toMatchObject({ code: '9900' });
});

test('a font may be loaded by the frames of the card provider, and nothing else by anybody', async () => {
  const shared = async (name: string) => {
    const { statusCode, headers } = await get(`/assets/${name}`);
    expect(statusCode).toBe(200);
    return headers['access-control-allow-origin'];
  };
  expect(await shared('font.woff2')).toBe('*');
  expect(await shared('page.js')).toBeUndefined();
});
