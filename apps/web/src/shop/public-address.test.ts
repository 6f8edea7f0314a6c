import type { PublicConfig } from '@fixpoint/contract/config.ts';
import { expect, test } from 'vitest';
import { publicAddress } from './public-address.ts';

test('FU4 a file is handed to another device over the shop’s first address, and over https alone', () => {
  const of = (SHOP_ORIGINS: string[], SANDBOX_URL?: string) =>
    publicAddress({ SHOP_ORIGINS, SANDBOX_URL } as PublicConfig);
  expect(of(['https://shop.example', 'https://other.example'])).toBe('https://shop.example');
  expect(of(['http://shop.example', 'https://other.example'])).toBeUndefined();
  expect(of([])).toBeUndefined();
  // A sandbox on the developer's own machine.
  expect(of(['http://localhost:8080'], 'http://localhost:8090')).toBe('http://localhost:8080');
});
