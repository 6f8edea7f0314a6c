import { expect, test } from 'vitest';
import { machineLacks } from './lacks.ts';

test('a machine that cannot render documents is named before the first sale', () => {
  expect(machineLacks()).toEqual([]);
  expect(machineLacks({ platform: 'sunos', arch: 'x64' })).toEqual([
    expect.stringMatching(
      /^Typst is not installed for this machine \(sunos x64\): emails are sent without PDFs/,
    ),
  ]);
});
