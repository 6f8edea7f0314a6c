import { languages } from '@fixpoint/contract/languages.ts';
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { delayRequest } from '../blocked.ts';
import { testStack } from '../env.ts';
import { measureFirstVisit } from '../lighthouse.ts';
import { say } from '../texts.ts';

const start = () => `${testStack().url}/#/en/get-started`;

/** Transferred bytes of all requests of a page, by type. */
async function bytesOf(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map<string, string>();
  const bytes: Record<string, number> = {};
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
  });
  return bytes;
}

test('A first visit is perfectly accessible, follows best practice and does not shift', {
  tag: '@soak',
}, async () => {
  const visit = await measureFirstVisit(start());
  const { performance, ...sure } = visit.scores;
  // Times depend on the machine's load; `npm run bench -- lighthouse` measures them.
  const description =
    `performance ${performance}, LCP ${Math.round(visit.largestContentfulPaint)} ms, ` +
    `TBT ${Math.round(visit.totalBlockingTime)} ms`;
  test.info().annotations.push({ type: 'first visit', description });
  expect(sure).toEqual({ accessibility: 100, bestPractices: 100 });
  expect(visit.cumulativeLayoutShift).toBeLessThanOrEqual(0.02);
});

/** Requests of a page in order, without the page itself. */
const asked = (page: Page) =>
  page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .toSorted((one, other) => one.startTime - other.startTime)
    .map(each => new URL(each.name).pathname.replace(/-\\w{7}(?=\\.\\w+$)/, ''))`);

test("The prerendered shell's files are requested first, then the program's, then those below the fold", {
  tag: '@soak',
}, async ({ page }) => {
  await page.goto(start());
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  const files = await asked(page);
  expect(files.slice(0, 4).sort()).toEqual([
    '/assets/style.css',
    '/config.json',
    '/v1/order/getAllPlan',
    '/v1/uiText/lang',
  ]);
  expect(files.slice(4, 7).sort()).toEqual([
    '/assets/base.js',
    '/assets/rolldown-runtime.js',
    '/assets/shop.js',
  ]);
});

/** Position and height of an element. Its width is that of its words, which the shop's font changes slightly. */
async function placeOf(thing: Locator) {
  const { x, y, height } = (await thing.first().boundingBox()) ?? {
    x: Number.NaN,
    y: Number.NaN,
    height: Number.NaN,
  };
  return [x, y, height].map(Math.round);
}

const looks = [
  ['en', 1280],
  ['th', 390],
  ['mm', 390],
] as const;

for (const [path, title] of [
  ['', 'home.title'],
  ['/get-started', 'plans.title'],
  ['/what-is-vpn', 'vpn.title'],
  ['/auth/login', 'login.title'],
] as const) {
  for (const [language, width] of looks) {
    test(`The headline of ${path || 'home'} can be read before the program has loaded (${language}, ${width} px)`, {
      tag: '@soak',
    }, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      const release = await delayRequest(page, /\/assets\/base-[\w-]+\.js/);
      await page.goto(`${testStack().url}/#/${language}${path}`, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { level: 1, name: say(language)(title) })).toBeVisible();
      expect(await page.locator('html').getAttribute('lang')).toBe(languages[language].tag);
      const places = () => Promise.all(['main h1', 'main .lead'].map(each => placeOf(page.locator(each))));
      // The script's own font arrives after the words.
      await page.evaluate('document.fonts.ready');
      const before = await places();

      release();
      await expect(page.getByRole('link', { name: say(language)('app.skip') })).toBeAttached();
      expect(await places(), 'nothing moves when the program takes over').toEqual(before);
    });
  }
}

test('A first visit loads little, in few requests', { tag: '@soak' }, async ({ context, page }) => {
  const bytes = await bytesOf(context, page);
  // Prefetching follows after a pause: on a busy machine before this page is complete.
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`);
  const paths: string[] = [];
  page.on('request', request => {
    const path = new URL(request.url()).pathname;
    if (!path.startsWith('/assets/prefetch-')) paths.push(path);
  });
  await page.goto(start());
  await expect(page.locator('#FAQ summary').first()).toBeVisible();

  // The whole screen; `npm run check` measures the prerendered shell alone.
  expect(bytes.Script, 'program, with its headers').toBeLessThanOrEqual(128_000);
  expect(bytes.Stylesheet).toBeLessThanOrEqual(19_000);
  expect(bytes.Font ?? 0, 'only what Latin text needs').toBeLessThanOrEqual(75_000);
  expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(27);
  for (const path of ['/config.json', '/v1/uiText/lang', '/v1/order/getAllPlan']) {
    expect(paths.filter(each => each === path).length, `${path} is asked for early, and not again`).toBe(1);
  }
});

test('The order page requests few files, because each delays a phone', { tag: '@soak' }, async ({ page }) => {
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`);
  const files = new Set<string>();
  page.on('request', request => {
    const { pathname } = new URL(request.url());
    if (/\.(js|css)$/.test(pathname) && request.frame() === page.mainFrame()) files.add(pathname);
  });
  await page.goto(`${testStack().url}/#/en/order?plan=solo&cycle=1`);
  await page.waitForLoadState('networkidle');
  expect(files.size, [...files].join('\n')).toBeLessThanOrEqual(32);
});

test('Texts and all files are compressed; files named by their content are cached for good', {
  tag: '@soak',
}, async ({ page }) => {
  const responses = new Map<string, Record<string, string>>();
  page.on('response', response => responses.set(new URL(response.url()).pathname, response.headers()));
  await page.goto(start());
  await expect(page.locator('#FAQ summary').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const assets = [...responses].filter(([path]) => path.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(4);
  for (const [path, headers] of assets) {
    expect(headers['cache-control'], path).toBe('public, max-age=31536000, immutable');
    const small = Number(headers['content-length'] ?? 0) < 1024;
    if (!path.endsWith('.woff2') && !small) expect(headers['content-encoding'], path).toMatch(/br|gzip/);
  }
  expect(responses.get('/')?.['cache-control']).toBe('no-cache, no-transform');
  expect(responses.get('/v1/uiText/lang')?.['content-encoding']).toMatch(/br|gzip/);
});

test('A second visit requests no file that it has', { tag: '@soak' }, async ({ page }) => {
  let fetched: string[] = [];
  page.on('response', async response => {
    const { pathname } = new URL(response.url());
    const sizes = await response
      .request()
      .sizes()
      .catch(() => undefined);
    if (pathname.startsWith('/assets/') && sizes && sizes.responseBodySize > 0) fetched.push(pathname);
  });
  await page.goto(start());
  await expect(page.locator('#FAQ summary').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const had = new Set(fetched);
  expect(had.size).toBeGreaterThan(4);
  fetched = [];
  await page.reload();
  await expect(page.locator('#FAQ summary').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(fetched.filter(path => had.has(path))).toEqual([]);
});
