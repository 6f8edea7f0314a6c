import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let shop: TestShop;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-web-'));
  await mkdir(join(folder, 'assets'));
  for (const file of ['index.html', 'pay.html'])
    await writeFile(join(folder, file), '<!doctype html><p>page');
  await writeFile(join(folder, 'assets/a-1.js'), 'export {};');
  await writeFile(join(folder, '.inputs'), 'of the build');
  shop = await startTestShop({ WEB_DIR: folder });
});
afterAll(async () => {
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Parses a policy as a browser does. */
const directives = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split(';')
      .map(part => part.trim().split(' '))
      .map(([name, ...sources]) => [name!, sources]),
  );
const policyOf = async (path: string) => directives((await fetch(`${shop.url}${path}`)).headers);
const sandbox = () => new URL(shop.sandboxUrl).origin;
/** Address of the shop under the machine's other name. */
const pay = () => shop.url.replace('127.0.0.1', 'localhost');

test("S72 files beside the build's output are not served", async () => {
  for (const path of ['/.inputs', '/assets/', '/assets']) {
    expect((await fetch(`${shop.url}${path}`)).status, path).toBe(404);
  }
});

test("S64 an inline script runs only when its content is the page's own", async () => {
  const source = 'document.documentElement.dataset.early = "";';
  await writeFile(join(folder, 'index.html'), `<!doctype html><script>${source}</script><p>page`);
  const other = await startTestShop({ WEB_DIR: folder });
  try {
    const answer = await fetch(`${other.url}/`);
    const hash = createHash('sha256').update(source).digest('base64');
    expect(directives(answer.headers)['script-src']).toEqual(["'self'", `'sha256-${hash}'`]);
    expect(answer.headers.get('cache-control'), 'no proxy may change it').toContain('no-transform');
  } finally {
    await other.stop();
  }
});

test('S64 FS15 the shop’s document allows nothing but the shop’s own code', async () => {
  expect(await policyOf('/')).toEqual({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-src': [pay()],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['fixpoint-worker', 'fixpoint-parse'],
    'report-to': ['csp'],
  });
});

test('S65 the payment page adds the card provider alone, is framed by the shop alone, and allows nothing unsafe', async () => {
  const policy = await policyOf('/pay.html');
  expect(policy['default-src']).toEqual(["'none'"]);
  expect(policy['script-src']).toEqual(["'self'", sandbox()]);
  expect(policy['connect-src']).toEqual(["'self'", sandbox()]);
  expect(policy['frame-src']).toEqual([sandbox()]);
  expect(policy['form-action']).toEqual(["'none'"]);
  expect(policy['frame-ancestors']).toEqual(["'self'", shop.url, pay()]);
  expect(policy['require-trusted-types-for']).toEqual(["'script'"]);
  expect(JSON.stringify(policy)).not.toContain('unsafe');
});

const json = { 'content-type': 'application/json' };
/** One answer of every kind. */
const answers: Record<string, [string, RequestInit?]> = {
  'the shop': ['/'],
  'the pay document': ['/pay.html'],
  'a file': ['/assets/a-1.js'],
  'the configuration': ['/config.json'],
  'the reference': ['/docs'],
  'the machine-readable reference': ['/openapi.json'],
  'a redirect': ['/.well-known/change-password', { redirect: 'manual' }],
  'the security contact': ['/.well-known/security.txt'],
  'the proof of no logs': ['/no-logs.json'],
  'the status of the places': ['/status.json'],
  'a list for firewalls': [`/allow-list/${'A'.repeat(43)}.txt`],
  'a call': ['/v1/order/getAllPlan'],
  'a refusal': ['/v1/auth/login', { method: 'POST', headers: json, body: '{}' }],
  'no session': ['/v1/auth/profile'],
  'another site’s call': [
    '/v1/auth/logout',
    { method: 'POST', headers: { ...json, origin: 'https://evil.example' }, body: '{}' },
  ],
  'no JSON': ['/v1/auth/login', { method: 'POST', headers: json, body: '{' }],
  'the wrong type': ['/v1/auth/login', { method: 'POST', body: 'a=1' }],
  'too much': ['/v1/auth/login', { method: 'POST', headers: json, body: `"${'x'.repeat(70_000)}"` }],
  'no call': ['/v1/nothing'],
  'no page': ['/nothing'],
  'no address': ['/%ff'],
  'an endless address': [`/v1/billing/getBilling/${'x'.repeat(300)}`],
  'the wrong method': ['/v1/auth/login', { method: 'DELETE' }],
  'a webhook': ['/webhooks/stripe', { method: 'POST', headers: json, body: '{}' }],
};

describe('S66 every kind of answer carries the security headers', () => {
  test.each(Object.entries(answers))('%s', async (name, [path, init]) => {
    const { headers } = await fetch(`${shop.url}${path}`, init);
    const isPay = path === '/pay.html';
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe(
      isPay ? 'same-origin-allow-popups' : 'same-origin',
    );
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('reporting-endpoints')).toBe('csp="/reports/csp"');
    expect(headers.get('x-frame-options')).toBe(isPay ? null : 'DENY');
    // Browsers ignore it over plain http; the test below checks https.
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    if (name === 'a call') expect(headers.get('cache-control')).toBe('no-store');
  });
});

test('S26 S66 S67 behind https every answer requires https for two years, and the cookies are never sent without it', async () => {
  const other = await startTestShop({
    PUBLIC_URL: 'https://shop.example',
    PAY_URL: 'https://pay.shop.example',
  });
  const { headers } = await fetch(other.url);
  expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  expect(directives(headers)['frame-src']).toEqual(['https://pay.shop.example']);
  // Pages of other sites, and of programs on the visitor's own machine, are refused.
  for (const [origin, status] of [
    ['https://shop.example', 200],
    [other.url, 403],
    [other.url.replace('127.0.0.1', 'localhost'), 403],
    ['http://shop.example', 403],
  ] as const) {
    const init = { method: 'POST', headers: { ...json, origin }, body: '{}' };
    expect((await fetch(`${other.url}/v1/auth/logout`, init)).status, `S26 ${origin}`).toBe(status);
  }
  const framing = directives((await fetch(`${other.url}/pay.html`)).headers)['frame-ancestors'];
  expect(framing).toEqual(["'self'", 'https://shop.example']);
  const { email } = await other.customer('cookie-owner');
  const login = await other.client.auth.login({ body: { email, password: PASSWORD, refreshIn: 'cookie' } });
  const cookies = login.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const [name, seconds] of [
    ['refresh', 2_592_000],
    ['device', 15_552_000],
  ]) {
    const [value, ...flags] = cookies.find(cookie => cookie.startsWith(`__Host-${name}=`))!.split('; ');
    expect(value).toMatch(/=[\w.-]{60,}$/);
    expect(flags.sort()).toEqual(['HttpOnly', `Max-Age=${seconds}`, 'Path=/', 'SameSite=Strict', 'Secure']);
  }
  await other.stop();
});

test('S26 only the shop’s own origin is allowed, and no origin is reflected', async () => {
  const ask = (origin: string, method = 'POST') =>
    fetch(`${shop.url}/v1/auth/logout`, {
      method,
      headers: { ...json, origin, 'access-control-request-method': 'POST' },
      ...(method === 'POST' && { body: '{}' }),
    });
  for (const origin of [
    'https://evil.example',
    'null',
    `${shop.url}.evil.example`,
    'https://shop.example.evil',
  ]) {
    expect((await ask(origin)).status, origin).toBe(403);
    for (const method of ['POST', 'OPTIONS']) {
      const { headers } = await ask(origin, method);
      for (const name of ['origin', 'credentials', 'methods', 'headers']) {
        expect(headers.get(`access-control-allow-${name}`), `${origin} ${name}`).toBeNull();
      }
    }
  }
  expect((await ask(shop.url)).status).toBe(200);
});

test('violation reports are accepted from browsers, and nothing else is', async () => {
  const report = (body: string, type = 'application/reports+json') =>
    fetch(`${shop.url}/reports/csp`, { method: 'POST', headers: { 'content-type': type }, body });
  const violation = {
    type: 'csp-violation',
    body: { effectiveDirective: 'script-src-elem', blockedURL: 'x' },
  };
  expect((await report(JSON.stringify([violation]))).status).toBe(204);
  expect((await report('{')).status).toBe(204);
  expect((await report('null')).status).toBe(204);
  expect((await report('{}', 'application/json')).status).toBe(415);
  expect((await report('x'.repeat(70_000))).status).toBe(413);
});
