import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { maskPersonal, serializeError } from './log-redaction.ts';

test.each([
  ['Invalid email address: so.me+one@mail.example.com', 'Invalid email address: [e-mail address]'],
  [
    '550 <someone@example.com>, "other@example.com" unknown',
    '550 <[e-mail address]>, "[e-mail address]" unknown',
  ],
  ['GET /reset?to=someone%40example.com', 'GET [e-mail address]'],
  ["a!#$%&'*+/=?^_`{|}~-b@example.com.", '[e-mail address].'],
  ['4242 4242 4242 4242', '[card number]'],
  ['at send (node_modules/@fixpoint/api/mail.ts:1:2)', 'at send (node_modules/@fixpoint/api/mail.ts:1:2)'],
])('S82 %j is logged as %j', (text, masked) => {
  expect(maskPersonal(text)).toBe(masked);
  // As a line of the log, it stays JSON.
  expect(JSON.parse(maskPersonal(JSON.stringify(`\n${text}\n`))).trim()).toBe(masked);
});

test('S82 an error is logged only with its type and location', () => {
  const error = Object.assign(new Error('of ann@example.com', { cause: new Error('ann@example.com') }), {
    code: '23514',
    constraint: 'positive',
    detail: 'Failing row contains (ann)',
    raw: { email: 'ann@example.com' },
  });
  const facts = serializeError(error);
  expect(facts).toMatchObject({ type: 'Error', code: '23514', constraint: 'positive' });
  expect(facts.stack).toMatch(/^Error: of \[e-mail address\]\n {4}at /);
  expect(JSON.stringify(facts)).not.toContain('ann');
});

test('S62 a long text without an address is processed quickly', () => {
  const began = performance.now();
  for (const text of ['a'.repeat(100_000), 'a@'.repeat(50_000), '%40'.repeat(30_000)]) maskPersonal(text);
  expect(performance.now() - began).toBeLessThan(2_000);
});
