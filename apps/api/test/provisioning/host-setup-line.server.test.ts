import { afterAll, beforeAll, expect, test } from 'vitest';
import { startShopWithPackages } from './shop-with-packages.ts';

/** The line that sets a VPN host up, and what it fetches; `host-setup-line.server.soak.test.ts` pastes it. */
let shop: Awaited<ReturnType<typeof startShopWithPackages>>;
beforeAll(async () => {
  shop = await startShopWithPackages();
});
afterAll(() => shop?.stop());

test('script and packages stand below their hashes alone, and the script has no token', async () => {
  const { line = '', token } = await shop.addHost();
  const [, url = '', hash = ''] = /(http\S+) \S+ SHA256:(\w+)/.exec(line)!;
  const script = await (await fetch(url)).text();
  expect(script).toMatch(/^#!\/bin\/sh/);
  expect(script).not.toContain(token.split('.')[1]);
  expect((await fetch(url.replace(hash, 'a'.repeat(64)))).status).toBe(404);
  expect((await fetch(url.replace('setup.sh', 'fixpoint-agent_0.2.0+20270101000000_amd64.deb'))).status).toBe(
    404,
  );
});

test('without a package, and for a machine without a disk, the token alone is printed', async () => {
  expect((await shop.addHost({ AGENT_PACKAGES_DIR: '/nowhere' })).stdout).toMatch(
    /\nSet the next line as AGENT_TOKEN/,
  );
  expect((await shop.addHost({}, '--diskless')).line).toBeUndefined();
});
