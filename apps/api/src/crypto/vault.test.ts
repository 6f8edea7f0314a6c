import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault, singleKeyring } from './vault.ts';

const vault = createVault(singleKeyring(randomBytes(32)));

test('S80 an encrypted value opens in its own row only', () => {
  const sealed = vault.seal('secret', 'row 1');
  expect(vault.open(sealed, 'row 1')).toBe('secret');
  expect(() => vault.open(sealed, 'row 2')).toThrow();
});

test('SE10 S80 a value whose authentication tag is cut short is refused', () => {
  // Of an empty text only nonce and tag are stored, so that a cut value still has the shape of one.
  const sealed = vault.seal('', 'row');
  expect(vault.open(sealed, 'row')).toBe('');
  for (const bytes of [4, 8, 12, 13, 14, 15])
    expect(() => vault.open(sealed.subarray(0, 12 + bytes), 'row'), `${bytes} bytes`).toThrow();
});
