import { expect, test } from 'vitest';
import { machineLacks } from './lacks.ts';

test('a machine that documents cannot be printed on is named before the first sale', () => {
  expect(machineLacks()).toEqual([]);
  expect(machineLacks({ platform: 'sunos', arch: 'x64' })).toEqual([
    expect.stringMatching(
      /^Typst's program is not installed for this machine \(sunos x64\): emails go without PDFs/,
    ),
  ]);
});
