import { expect, test } from 'vitest';
import { readEnv, warningsOf } from './env.ts';
import { misspelt } from './misspelt.ts';
import { problemsOf } from './problems.ts';
import { schema } from './schema.ts';

const needed = {
  DATABASE_URL: 'postgresql://localhost/shop',
  DATABASE_APP_URL: 'postgresql://localhost/shop',
  DATABASE_CUSTOMER_URL: 'postgresql://localhost/shop',
  DATABASE_MEMBER_URL: 'postgresql://localhost/shop',
  STRIPE_SECRET: 'sk_test_1',
  STRIPE_PUB: 'pk_test_1',
  STRIPE_WEBHOOK_SECRETS: 'whsec_1',
  SMTP_URL: 'smtp://localhost',
};
const read = (env: Record<string, string>) => readEnv({ ...needed, ...env });

test('W2 support is promised around the clock unless the operator says otherwise', () => {
  expect(read({}).SUPPORT_HOURS).toBe('24/7');
  expect(read({ SUPPORT_HOURS: 'weekdays 09:00-18:00' }).SUPPORT_HOURS).toBe('weekdays 09:00-18:00');
  for (const hours of ['9-5', 'weekdays 9:00-18:00', 'daily 08:00-24:00', 'weekends 08:00-09:00']) {
    expect(() => read({ SUPPORT_HOURS: hours }), hours).toThrow('SUPPORT_HOURS');
  }
});

test('S61 a live key is sent to the card provider and nowhere else', () => {
  const live = { ...ofRealShop, STRIPE_SECRET: 'sk_live_1', STRIPE_PUB: 'pk_live_1' };
  expect(read(live)).toMatchObject({ STRIPE_API_HOST: 'api.stripe.com', STRIPE_API_PROTOCOL: 'https' });
  for (const host of ['127.0.0.1', '169.254.169.254', '10.0.0.5', 'api.stripe.com.evil.example']) {
    expect(() => read({ ...live, STRIPE_API_HOST: host }), host).toThrow('STRIPE_API_HOST');
  }
  expect(() => read({ ...live, STRIPE_API_PROTOCOL: 'http' })).toThrow('STRIPE_API_HOST');
});

test('FS15 a test key is refused in production, unless the operator tries the shop', () => {
  const test = { STRIPE_SECRET: 'sk_test_1', STRIPE_PUB: 'pk_test_1' };
  expect(() => read({ ...test, NODE_ENV: 'production' })).toThrow('NODE_ENV=development');
  expect(read({ ...test, NODE_ENV: 'development' }).STRIPE_SECRET).toBe('sk_test_1');
  const sandbox = { STRIPE_API_HOST: '127.0.0.1', STRIPE_API_PROTOCOL: 'http' };
  expect(read({ ...test, ...sandbox, NODE_ENV: 'production' }).NODE_ENV).toBe('production');
});

test('FS15 a shop behind https gets a warning while the payment page has no origin of its own', () => {
  const warned = (env: Record<string, string>) => warningsOf(read(env)).join();
  expect(warned({ PUBLIC_URL: 'https://shop.example.com' })).toContain('PAY_URL');
  expect(warned({ PUBLIC_URL: 'https://shop.example.com', PAY_URL: 'https://pay.example.com' })).toBe('');
  expect(warned({})).toBe('');
});

const live = { NODE_ENV: 'production', STRIPE_SECRET: 'sk_live_1', STRIPE_PUB: 'pk_live_1' };
const ofRealShop = {
  PUBLIC_URL: 'https://shop.example.com',
  TRUST_PROXY: '127.0.0.1',
  MAIL_FROM: 'Shop <hello@example.com>',
  SUPPORT_EMAIL: 'support@example.com',
  COMPANY_NAME: 'Example Co., Ltd.',
  COMPANY_ADDRESS: '1 Example Road, Bangkok',
};

test('FO1 a shop that takes real money names all missing settings at once', () => {
  expect(read({ ...live, ...ofRealShop }).MAIL_FROM).toBe('Shop <hello@example.com>');
  const { SMTP_URL: _, ...rest } = needed;
  const refusal = () => readEnv({ ...rest, ...live });
  for (const name of ['SMTP_URL', ...Object.keys(ofRealShop)]) {
    expect(refusal).toThrow(`${name} is missing`);
    if (name !== 'SMTP_URL')
      expect(() => read({ ...live, ...ofRealShop, [name]: '' })).toThrow(`${name} is missing`);
  }
  expect(() => read({ ...live, ...ofRealShop, PUBLIC_URL: 'http://shop.example.com' })).toThrow(
    'card payments require https',
  );
  // A live key takes real money, whatever NODE_ENV is.
  expect(() => read({ ...live, NODE_ENV: 'development' })).toThrow('COMPANY_NAME is missing');
  // A test key needs no company.
  expect(read({ NODE_ENV: 'development' }).COMPANY_NAME).toBe('');
});

test('FO11 a wrong setting is named with the expected value', () => {
  const wrong = {
    TRUST_PROXY: ['my-proxy', '10.0.0.0/33', '10.0.0/8', '::1/129', '127.0.0.1,'],
    STRIPE_SECRET: ['whsec_1'],
    STRIPE_WEBHOOK_SECRETS: ['sk_live_1'],
    SMTP_URL: ['mail.example.com'],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) expect(() => read({ [name]: value }), value).toThrow(`${name}: `);
  for (const right of ['127.0.0.1', '10.0.0.0/8, ::1', 'fd00::/8'])
    expect(read({ TRUST_PROXY: right }).TRUST_PROXY.length).toBeGreaterThan(0);
});

test('a chat needs both its address and its token', () => {
  const chat = { CHATWOOT_URL: 'https://chat.example.com', CHATWOOT_TOKEN: 'inbox' };
  expect(read(chat)).toMatchObject(chat);
  expect(() => read({ CHATWOOT_URL: chat.CHATWOOT_URL })).toThrow('CHATWOOT_TOKEN');
  expect(() => read({ CHATWOOT_TOKEN: chat.CHATWOOT_TOKEN })).toThrow('CHATWOOT_URL');
  expect(() => read({ ...chat, CHATWOOT_URL: 'javascript:alert(1)' })).toThrow('CHATWOOT_URL');
});

test('S61 messages about alerts are sent by https, or stay on this machine', () => {
  for (const name of ['ALERT_WEBHOOK_URL', 'ALERT_NTFY_URL', 'ALERT_SLACK_URL', 'ALERT_HEARTBEAT_URL']) {
    expect(() => read({ [name]: 'http://ops.example.com/topic' }), name).toThrow(`${name}: must be https`);
    expect(() => read({ [name]: 'file:///etc/passwd' }), name).toThrow(name);
  }
  const here = { ALERT_NTFY_URL: 'http://127.0.0.1:2586/topic' };
  expect(read(here)).toMatchObject(here);
});

test('settings of alerts say what is wrong with them', () => {
  const secret = `whsec_${Buffer.alloc(32, 'key').toString('base64')}`;
  const webhook = { ALERT_WEBHOOK_URL: 'https://ops.example.com/', ALERT_WEBHOOK_SECRET: secret };
  expect(read(webhook)).toMatchObject(webhook);
  for (const [name, value, says] of [
    ['ALERT_WEBHOOK_SECRET', '', 'set both, or none'],
    ['ALERT_WEBHOOK_SECRET', 'secret', 'must be whsec_'],
    ['ALERT_EMAIL', 'ops@example.com, nobody', 'must be email addresses'],
    ['ALERT_EMAIL_KINDS', 'host.silent,host.asleep', 'must be kinds of alerts'],
    ['ALERT_NTFY_URL', 'https://ntfy.sh/', 'must end with the topic'],
    ['ALERT_QUIET_HOURS', '22-7', 'must be like 22:00-07:00'],
  ] as const)
    expect(() => read({ ...webhook, [name]: value }), `${name}=${value}`).toThrow(says);
  expect(read({ ALERT_QUIET_HOURS: '22:00-07:30' }).ALERT_QUIET_HOURS).toEqual({ from: 1320, to: 450 });
});

test('S61 PayPal’s keys are set together and sent to PayPal only', () => {
  const paypal = { PAYPAL_CLIENT_ID: 'Abc', PAYPAL_SECRET: 'Def', PAYPAL_WEBHOOK_ID: '1JE' };
  const ofSandbox = { ...paypal, PAYPAL_SECRET: 'sandbox-1', PAYPAL_API_ORIGIN: 'http://127.0.0.1:8081' };
  expect(read({}).PAYPAL_CLIENT_ID).toBeUndefined();
  expect(read(paypal)).toMatchObject({
    PAYPAL_API_ORIGIN: 'https://api-m.paypal.com',
    PAYPAL_RECURRING: 'none',
  });
  expect(read(ofSandbox)).toMatchObject(ofSandbox);
  for (const name of Object.keys(paypal))
    expect(() => read({ ...paypal, [name]: '' }), name).toThrow('PAYPAL_');
  for (const origin of ['http://127.0.0.1:8081', 'https://api-m.paypal.com.evil.example', 'https://a/b']) {
    expect(() => read({ ...paypal, PAYPAL_API_ORIGIN: origin }), origin).toThrow('PAYPAL_API_ORIGIN');
  }
  expect(() => read({ ...ofSandbox, PAYPAL_API_ORIGIN: 'https://api-m.paypal.com' })).toThrow('sandbox');
  const trying = { ...paypal, PAYPAL_API_ORIGIN: 'https://api-m.sandbox.paypal.com' };
  expect(read(trying)).toMatchObject(trying);
  expect(() => read({ ...trying, NODE_ENV: 'production', STRIPE_API_HOST: '127.0.0.1' })).toThrow(
    'for testing',
  );
  // Beside a live key of Stripe, test payments would count as money.
  const beside = { ...ofRealShop, ...live, ...trying, NODE_ENV: 'development' };
  expect(() => read(beside)).toThrow('for testing');
  expect(read({ ...beside, PAYPAL_API_ORIGIN: '' }).PAYPAL_API_ORIGIN).toBe('https://api-m.paypal.com');
});

/** Values that some setting refuses. None of them may appear in a message. */
const WRONG = [
  ' ',
  'Zq7',
  'Zq7://Zq8',
  'https://Zq7.example/Zq8',
  'smtp://u:Zq7/8@h',
  '-1',
  '99999999',
  '1.5',
];

test('each wrong setting is named with what is wrong and an example, in words and without its value', () => {
  const said = new Set<string>();
  for (const name of Object.keys(schema.shape))
    for (const value of WRONG) {
      const lines = problemsOf({ ...needed, [name]: value }).filter(line => line.startsWith(`${name}:`));
      for (const line of lines) {
        said.add(name);
        expect(line).not.toMatch(/Zq|\/\^|pattern|Invalid|expected|undefined/);
        expect(line, name).toMatch(
          new RegExp(`^${name}: [^.].*\\. Example: ${name}=.|^${name}: must be \\w+ or `),
        );
      }
    }
  for (const name of ['SMTP_URL', 'DATABASE_URL', 'PUBLIC_URL', 'SUPPORT_HOURS', 'SALE_COUNTRY', 'PORT'])
    expect(said).toContain(name);
});

test.each([
  ['smtps://user:pa/ss@mail.example.com', false],
  ['smtp://12:34/5@mail.example.com', false],
  ['smtps://user:pa#ss@mail.example.com', false],
  ['smtps://user:50%@mail.example.com', false],
  ['smtps://user:pa%2Fss%25@mail.example.com:465', true],
])('a mail server’s password has its special characters as codes: %s', (SMTP_URL, right) => {
  const problems = problemsOf({ ...needed, SMTP_URL }).join();
  if (right) expect(problems).toBe('');
  else expect(problems).toMatch(/^SMTP_URL: cannot be read as an address\..*\/ as %2F/);
});

test('the shop’s own addresses have no path', () => {
  for (const name of ['PUBLIC_URL', 'PAY_URL'])
    for (const value of [
      'https://shop.example.com/vpn',
      'https://shop.example.com/?a',
      'https://u@shop.example.com',
    ])
      expect(() => read({ [name]: value }), value).toThrow(`${name}: must have no path`);
  expect(read({ PUBLIC_URL: 'https://shop.example.com/' }).PUBLIC_URL).toBe('https://shop.example.com');
});

test('a contradiction is named together with a wrong setting, not after it', () => {
  const problems = problemsOf({ ...needed, PORT: 'x', CHATWOOT_TOKEN: 'inbox', STRIPE_PUB: 'pk_live_1' });
  for (const name of ['PORT', 'CHATWOOT_URL', 'STRIPE_SECRET'])
    expect(
      problems.some(line => line.startsWith(name)),
      name,
    ).toBe(true);
});

test('a name that is no setting is named with the nearest one', () => {
  expect(
    misspelt(['PORT', 'STRIPE_SECRT', 'NO_INSTALL', 'public_url', 'FAVOURITE_COLOUR'], ['NO_INSTALL']),
  ).toEqual([
    'STRIPE_SECRT is not a setting and is ignored. Did you mean STRIPE_SECRET?',
    'public_url is not a setting and is ignored. Did you mean PUBLIC_URL?',
    'FAVOURITE_COLOUR is not a setting and is ignored.',
  ]);
});
