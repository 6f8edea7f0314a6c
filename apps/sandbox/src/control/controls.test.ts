import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

test.each(['../README.md', 'index-page.ts'])('%s names every control', file => {
  const sources = ['control/routes.ts', 'paypal/control.ts', 'btcpay/control.ts'].map(read).join('\n');
  const named = [...sources.matchAll(/\bpost\(\s*'([^']+)'/g)].map(([, path]) => path!);
  const moved = [...sources.matchAll(/\bmove\('(\w+)'/g)].map(([, path]) => `btcpay/${path}`);
  expect([named.length > 20, moved.length]).toEqual([true, 2]);
  const words = new Set(read(file).match(/[\w/]+/g));
  expect([...named, ...moved].filter(path => !words.has(path))).toEqual([]);
});
