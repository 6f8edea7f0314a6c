import { expect, test } from 'vitest';
import { csv } from './csv.ts';

test('UX25 a cell is never a formula, and quotes, commas and line ends stay in their cell', () => {
  const cells = ['=1+1', '+66', '-1+1', '@A1', '\t=1', 'a "b", c', 'two\nlines', -12.5, 'plain'];
  expect(csv([cells])).toBe(`\u{feff}'=1+1,'+66,'-1+1,'@A1,'\t=1,"a ""b"", c","two\nlines",-12.50,plain\r\n`);
});
