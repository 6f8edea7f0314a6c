import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

const good = {
  STRIPE_SECRET: 'sk_test_abc',
  STRIPE_PUB: 'pk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_WEBHOOK_URL: 'http://127.0.0.1:8080/webhooks/stripe',
  BTCPAY_TOKEN: 'sixteen-or-more-b',
  BTCPAY_STORE: 'store',
  BTCPAY_WEBHOOK_SECRET: 'sixteen-or-more-w',
  BTCPAY_WEBHOOK_URL: 'http://127.0.0.1:8080/webhooks/btcpay',
  PAYPAL_CLIENT_ID: 'sandbox-abc',
  PAYPAL_SECRET: 'sandbox-def',
  PAYPAL_WEBHOOK_ID: 'WH1',
  PAYPAL_WEBHOOK_URL: 'http://127.0.0.1:8080/webhooks/paypal',
  PAYPAL_CERT_CA_FILE: '/tmp/authority.pem',
  SANDBOX_CONTROL_TOKEN: 'sixteen-or-more-c',
  SANDBOX_SHOP_ORIGIN: 'http://127.0.0.1:8080',
};

describe('the sandbox’s settings', () => {
  it('have defaults for fixed values', () => {
    expect(readEnv(good)).toMatchObject({
      host: '127.0.0.1',
      port: 8081,
      smtpPort: 8025,
      dataDir: undefined,
    });
    expect(readEnv({ ...good, SANDBOX_PORT: '0', SANDBOX_HOST: '' })).toMatchObject({
      host: '127.0.0.1',
      port: 0,
    });
  });

  it('accept several shop origins', () => {
    const origins = 'http://127.0.0.1:8080, http://localhost:8080';
    expect(readEnv({ ...good, SANDBOX_SHOP_ORIGIN: origins }).shopOrigins).toEqual([
      'http://127.0.0.1:8080',
      'http://localhost:8080',
    ]);
  });

  it('name every missing one at once', () => {
    for (const name of Object.keys(good)) expect(() => readEnv({})).toThrow(`${name}: is missing`);
  });

  it.each([
    ['NODE_ENV', 'production'],
    ['STRIPE_SECRET', 'sk_live_abc'],
    ['SOME_OTHER_KEY', 'rk_live_abc'],
    ['STRIPE_PUB', 'pk_live_abc'],
    ['SANDBOX_HOST', '0.0.0.0'],
    ['SANDBOX_PORT', '70000'],
    ['STRIPE_WEBHOOK_URL', 'https://shop.example/webhooks/stripe'],
    ['STRIPE_WEBHOOK_URL', 'not an address'],
    ['BTCPAY_WEBHOOK_URL', 'https://shop.example/webhooks/btcpay'],
    ['BTCPAY_TOKEN', 'short'],
    ['PAYPAL_SECRET', 'AbcOfARealAccount'],
    ['PAYPAL_WEBHOOK_URL', 'https://shop.example/webhooks/paypal'],
    ['SANDBOX_CONTROL_TOKEN', 'short'],
    ['SANDBOX_SHOP_ORIGIN', 'http://127.0.0.1:8080/path'],
  ])('refuse %s=%s, without repeating the value of a key', (name, value) => {
    const attempt = () => readEnv({ ...good, [name]: value });
    expect(attempt).toThrow(name);
    expect(attempt).not.toThrow('_live_abc');
  });
});
