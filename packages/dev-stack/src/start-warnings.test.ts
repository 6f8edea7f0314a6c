import { urlsFor } from '@fixpoint/postgres/roles.ts';
import { expect, test } from 'vitest';
import { startWarnings } from './start-warnings.ts';

test.each([
  ['root, embedded database, real providers', true, undefined, 0, 1],
  ['a user of its own', true, undefined, 1000, 0],
  ['a database of its own', true, urlsFor('postgresql://db/fixpoint'), 0, 0],
  ['the sandbox', false, undefined, 0, 0],
  ['a system without user IDs', true, undefined, undefined, 0],
] as const)('SE6 a start with %s', (_, realProviders, databaseUrls, uid, warnings) => {
  expect(startWarnings({ realProviders, databaseUrls }, uid)).toHaveLength(warnings);
});
