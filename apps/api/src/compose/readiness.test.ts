import { expect, test } from 'vitest';
import { machineWarnings } from './readiness.ts';

test('the start warns about a machine that cannot render documents', () => {
  expect(machineWarnings()).toEqual([]);
  expect(machineWarnings({ platform: 'sunos', arch: 'x64' })).toEqual([
    expect.stringMatching(
      /^Typst is not installed for this machine \(sunos x64\): emails are sent without PDFs/,
    ),
  ]);
});
