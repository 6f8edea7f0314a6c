import { expect, test } from 'vitest';
import { compareAgents } from './agent-version.ts';

test.each([
  ['0.2.0+20261129055504', '0.2.0+20261201000000'],
  ['0.2.0', '0.2.0+20261129055504'],
  ['0.2.9+20261129055504', '0.2.10+20200101000000'],
  ['0.9.0', '0.10.0'],
  ['1.9.9', '2.0.0'],
])('the agent %s is older than %s', (older, newer) => {
  expect(compareAgents(older, newer)).toBeLessThan(0);
  expect(compareAgents(newer, older)).toBeGreaterThan(0);
  expect(compareAgents(newer, newer)).toBe(0);
});

test.each(['0.2.0+checkout', 'fake', ''])('nobody knows whether %j is older', version => {
  expect(compareAgents(version, '9.9.9')).toBeUndefined();
});
