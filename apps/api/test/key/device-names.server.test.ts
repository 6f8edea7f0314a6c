import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let shop: TestShop;
let customer: Awaited<ReturnType<TestShop['customer']>>;
beforeAll(async () => {
  shop = await startTestShop({ BRAND_NAME: 'Ring & Co "é"; ../x' });
  customer = await shop.customer('names', 'plus');
});
afterAll(() => shop?.stop());

const add = (name: string) =>
  customer.client.subscription.addKey({ body: { subscriptionId: customer.subscriptionId, name } });
const remove = (keyId: string) =>
  customer.client.subscription.deleteKey({ body: { subscriptionId: customer.subscriptionId, keyId } });

const devices = ['CON', 'prn', 'Aux', 'nul', 'COM1', 'com9', 'LPT1', 'lpt9', 'con.txt', 'NUL.tar.gz'];
test.each([
  ...['.', '..', '...', '-rf', '--help', '_x', '.hidden', 'x.', 'laptop..', ...devices].map(
    name => [name, 'form.keyName.unsafe'] as const,
  ),
  ...[
    'a/b',
    '..\\x',
    'a b',
    'a\0b',
    'a\r\nb',
    'a"b',
    "a'b",
    'a;b',
    'é',
    '電話',
    'a:b',
    '%2e%2e',
    'x'.repeat(65),
  ].map(name => [name, 'form.keyName.invalid'] as const),
  ...['4242424242424242', '4242-4242-4242-4242', '378282246310005', '5555_5555.5555-4444'].map(
    name => [name, 'form.keyName.card'] as const,
  ),
])('S54 S41 %j is refused as the name of a key', async (name, text) => {
  expect(await add(name)).toMatchObject({ status: 400, code: '7004', data: { fields: { name: text } } });
});

test.each(['a', '1', 'laptop', 'Pixel_9', 'a-b.c', 'console', 'comet1', 'x'.repeat(64)])(
  'S54 S57 %s is accepted, and its file has a plain name and is not cached',
  async name => {
    const key = await add(name);
    expect(key.code).toBe('0000');
    expect(await add(name.toUpperCase())).toMatchObject({ code: '4001' });
    const file = await customer.client.subscription.downloadKey({
      body: { subscriptionId: customer.subscriptionId, keyId: key.data!.id },
    });
    // The page saves it under this name; no header carries it that a quote or a line break could end.
    expect(file.data!.fileName).toBe(`RingCox-${name}.ovpn`);
    expect(file.headers.get('content-disposition')).toBeNull();
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    // A line break in the brand name would add a directive to the profile.
    const words = new Set(file.data!.profile.split('\n').map(line => line.split(' ')[0]));
    for (const bad of ['up', 'down', 'plugin', 'script-security', 'management'])
      expect(words).not.toContain(bad);
    await remove(key.data!.id);
  },
);
