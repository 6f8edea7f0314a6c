import { describe, expect, it } from 'vitest';
import { parseCode } from './parse-code.ts';

describe('one-time code', () => {
  it.each([
    ['123456', '123456'],
    ['012 345', '012345'],
    ['123-456', '123456'],
    ['Your code is 004217.', '004217'],
    ['1234567', '123456'],
    ['12', '12'],
    ['', ''],
    ['１２３４５６', '123456'],
    ['๐๑๒๓๔๕', '012345'],
    ['၁၂၃၄၅၆', '123456'],
    ['០១២៣៤៥', '012345'],
    ['໐໑໒໓໔໕', '012345'],
    ['०१२३४५', '012345'],
  ])('reads %j as %j', (typed, code) => {
    expect(parseCode(typed)).toBe(code);
  });
});
