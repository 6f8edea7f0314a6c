import { expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

test('FS5 a known browser is served before all strangers who still wait', async () => {
  const passwords = createPasswords([Buffer.alloc(32, 1)]);
  const hash = await passwords.hash('right');
  await passwords.verify(hash, 'right');
  const served: string[] = [];
  const strangers = Array.from({ length: 20 }, async () => {
    expect(await passwords.verify(hash, 'wrong', { stranger: true })).toBe(false);
    served.push('stranger');
  });
  const waiting = passwords.strangers();
  const known = (async () => {
    expect(await passwords.verify(hash, 'right')).toBe(true);
    served.push('known');
  })();
  await Promise.all([...strangers, known]);
  // Those being compared when it came are done first, or at the same time.
  expect(waiting).toBeGreaterThan(15);
  expect(served.indexOf('known')).toBeLessThanOrEqual(2 * (strangers.length - waiting));
});
