import { expect, test } from 'vitest';
import { readSettings, SettingsError } from './env.ts';

function refusal(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

test('the default is the sandbox and the embedded database', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8080',
    realProviders: false,
    databaseUrls: undefined,
  });
  expect(settings.dataDir).toMatch(/\/data$/);
});

test('the error names every wrong value', () => {
  const message = refusal({ PORT: 'http', HOST: 'a b', DATABASE_URL: 'mysql://x' });
  for (const name of ['PORT', 'HOST', 'DATABASE_URL']) expect(message).toContain(`${name}:`);
});

test.each(['-1', '65536', '80.5', 'x'])('%s is no port', port =>
  expect(refusal({ PORT: port })).toContain(`PORT: ${port}`),
);

test('an incomplete set of real gateways is refused, and the error names the missing settings', () => {
  const message = refusal({ STRIPE_SECRET: 'sk_live_x', STRIPE_PUB: 'pk_live_x' });
  expect(message).toContain('STRIPE_WEBHOOK_SECRETS: is missing');
  expect(message).toContain('SMTP_URL: is missing');
  expect(message).not.toContain('sk_live_x');
});

test('a complete set of real gateways replaces the sandbox', () => {
  const all = {
    STRIPE_SECRET: 'sk_test_a',
    STRIPE_PUB: 'pk_test_b',
    STRIPE_WEBHOOK_SECRETS: 'whsec_c',
    SMTP_URL: 'smtp://d',
    NODE_ENV: 'development',
  };
  expect(readSettings(all).realProviders).toBe(true);
});

test('FO1 with real keys alone the error names everything else that is missing', () => {
  const message = refusal({ STRIPE_SECRET: 'sk_live_x', STRIPE_PUB: 'pk_live_x', PORT: 'http' });
  const missing = ['SMTP_URL', 'STRIPE_WEBHOOK_SECRETS', 'PUBLIC_URL', 'TRUST_PROXY', 'MAIL_FROM'];
  for (const name of [...missing, 'SUPPORT_EMAIL', 'COMPANY_NAME', 'COMPANY_ADDRESS', 'PORT'])
    expect(message.split(new RegExp(`^ *${name}:? `, 'm')).length, name).toBe(2);
});

test('without real keys, too, the error names everything at once', () => {
  const message = refusal({ PORT: 'http', SUPPORT_HOURS: '9-5', PUBLIC_URL: 'https://shop.example.com/x' });
  for (const name of ['PORT', 'SUPPORT_HOURS', 'PUBLIC_URL']) expect(message).toContain(`${name}: `);
  expect(message).not.toMatch(/STRIPE|DATABASE|SMTP/);
});
