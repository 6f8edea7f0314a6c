import { describe, expect, it } from 'vitest';
import { pageNumbers } from './page-numbers.ts';

describe('page numbers', () => {
  it.each([
    [1, 1, [1]],
    [1, 2, [1, 2]],
    [1, 5, [1, 2, undefined, 5]],
    [3, 5, [1, 2, 3, 4, 5]],
    [5, 9, [1, undefined, 4, 5, 6, undefined, 9]],
    [9, 9, [1, undefined, 8, 9]],
    [4, 6, [1, 2, 3, 4, 5, 6]],
  ])('page %i of %i', (page, pages, shown) => {
    expect(pageNumbers(page, pages)).toEqual(shown);
  });
});
