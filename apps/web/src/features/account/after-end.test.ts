import { expect, test } from 'vitest';
import { afterEnd } from './after-end.ts';

const you = { role: 'owner', isYou: true };
const other = (role: string) => ({ role, isYou: false });

test.each([
  ['buyer', undefined, 'goesOn'],
  ['member', undefined, 'goesOn'],
  ['owner', undefined, undefined],
  ['owner', [you], 'ends'],
  ['owner', [you, other('owner'), other('member')], 'goesOn'],
  ['owner', [you, other('buyer')], 'handOver'],
])('%s with %j: the account %s', (role, people, becomes) => {
  expect(afterEnd(role, people)).toBe(becomes);
});
