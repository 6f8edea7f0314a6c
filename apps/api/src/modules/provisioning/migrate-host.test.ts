import { expect, test } from 'vitest';
import { assignSlots } from './migrate-host.ts';

test('a migrating subscription keeps its slot if it is free, and gets the lowest free one otherwise', () => {
  expect(assignSlots([5, 2, 9], [1, 2, 3, 9])).toEqual([1, 2, 9]);
  expect(assignSlots([5, 6], [5, 6, 7])).toEqual([5, 6]);
  expect(assignSlots([1, 1000], [2, 3])).toEqual([2, 3]);
});
