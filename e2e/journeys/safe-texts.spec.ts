import { loadBundle } from '@fixpoint/texts/bundles.ts';
import { expect, type Page, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const t = say('en');
const home = () => `${testStack().url}/#/en`;

/** Attacks in the operator's texts; each calls `hit` if it ever runs. */
const corpus = [
  '<script>hit(1)</script>',
  '<img src=x onerror=hit(1)>',
  '<svg onload=hit(1)>',
  '<svg><script>hit(1)</script></svg>',
  '<svg><animate onbegin=hit(1) attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><img src=x onerror=hit(1)>',
  '<body onload=hit(1)>',
  '<input autofocus onfocus=hit(1)>',
  '<details open ontoggle=hit(1)><summary>x</summary></details>',
  '<iframe src="javascript:parent.hit(1)"></iframe>',
  '<iframe srcdoc="<script>parent.hit(1)</script>"></iframe>',
  '<object data="javascript:hit(1)"></object><embed src="javascript:hit(1)">',
  '<a href="javascript:hit(1)">link</a>',
  '<a href=" javascript:hit(1)">link</a>',
  '<a href="java&#10;script:hit(1)">link</a>',
  '<a href="data:text/html,<script>opener.hit(1)</script>">link</a>',
  '<a href="#" onclick="hit(1)" style="position:fixed;inset:0">link</a>',
  '<form action="javascript:hit(1)"><button>go</button></form>',
  '<p style="background:url(javascript:hit(1))" onmouseover=hit(1)>text</p>',
  '<noscript><p title="</noscript><img src=x onerror=hit(1)>">',
  '<template><script>hit(1)</script></template>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:hit(1)">',
  '<style>@import "https://evil.example/x.css";</style><link rel=stylesheet href="https://evil.example/x.css">',
];

/** Counts scripts that ran, violations of the page's policy, and requests to other origins. */
async function watch(page: Page) {
  const seen = { hits: 0, violations: [] as string[], foreign: [] as string[] };
  await page.exposeFunction('hit', () => {
    seen.hits += 1;
  });
  page.on('console', message => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text()))
      seen.violations.push(message.text());
  });
  page.on('request', request => {
    if (request.url().includes('evil.example')) seen.foreign.push(request.url());
  });
  return seen;
}

const quiet = { hits: 0, violations: [], foreign: [] };

test('S53 nothing in the terms can run, load or lead anywhere', async ({ page }) => {
  const seen = await watch(page);
  await page.route('**/v1/order/getTerm', async route => {
    const { data } = await (await route.fetch()).json();
    const html = `<h2>Poisoned</h2>${corpus.map(sample => `<p>${sample}</p>`).join('')}<p>The end</p>`;
    await route.fulfill({ json: { code: '0000', data: { ...data, html } } });
  });
  await page.goto(home());
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: t('footer.terms') })
    .click();
  const dialog = page.getByRole('dialog', { name: t('footer.terms') });
  await expect(dialog.getByRole('heading', { name: 'Poisoned', level: 2 })).toBeVisible();
  await expect(dialog.getByText('The end')).toBeAttached();
  // Text in the result is escaped, so anything that looks like an element or attribute is one.
  const html = await dialog.innerHTML();
  expect(html).not.toMatch(
    /<(script|iframe|object|embed|form|base|meta|link|style|template|input|math|animate)\b/i,
  );
  expect(html).not.toMatch(/<[^>]*\s(on\w+|srcdoc)=/i);
  const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target!);
  for (const target of targets) expect(target).toMatch(/^(https:|mailto:|#)/);
  for (const link of await dialog.getByText('link', { exact: true }).all()) await link.dispatchEvent('click');
  // The parser's document runs nothing and is never shown, but the browser reports its inline attributes.
  const parsed = /^(Executing inline event handler|Applying inline style) violates/;
  expect({ ...seen, violations: seen.violations.filter(text => !parsed.test(text)) }).toEqual(quiet);
});

test('S53 text overrides are text, whatever they contain', async ({ page }) => {
  const seen = await watch(page);
  const shown = corpus[1]!;
  const uiText = { ...loadBundle('en') };
  // Texts without arguments only: the others are checked when the operator sets them. ICU reads a `<` as a tag unless it is
  // quoted, so the quoted form would reach the page.
  const own = Object.keys(uiText).filter(key => !/[{}#'<]/.test(uiText[key]!));
  for (const [at, key] of own.entries()) {
    uiText[key] = at % 2 ? `'${shown}'` : (corpus[at % corpus.length] ?? shown);
  }
  await page.route('**/v1/uiText/**', route =>
    route.fulfill({ json: { code: '0000', data: { version: 'own', uiText } } }),
  );
  await page.goto(home());
  await expect(page.getByText('onerror=hit(1)').first()).toBeVisible();
  // The prerendered shell already shows the first of them; the footer appears when the program has run.
  await expect(page.getByRole('contentinfo')).toBeVisible();
  expect(await page.locator('img[src="x"], svg[onload], iframe[srcdoc]').count()).toBe(0);
  expect(seen).toEqual(quiet);
});

test('S67 a cookie remembers nothing of a visitor but the language, on this site, for a year', {
  tag: '@soak',
}, async ({ page, context }) => {
  await page.goto(home());
  await page.getByRole('button', { name: t('nav.language') }).click();
  await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'th-TH');
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name)).toEqual(['i18n_redirected']);
  const [cookie] = cookies;
  expect(cookie).toMatchObject({ value: 'th', path: '/', sameSite: 'Lax' });
  const days = (cookie!.expires - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(364);
  expect(days).toBeLessThanOrEqual(365);
});
