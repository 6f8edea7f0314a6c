import { expect, test } from 'vitest';
import { placeState } from './place-state.ts';

test('a place is up, disturbed or down by its servers, and unknown while nobody can know', () => {
  const states = [
    placeState(2, 0, true),
    placeState(1, 1, true),
    placeState(0, 2, true),
    placeState(0, 0, true),
    placeState(0, 2, false),
    placeState(1, 1, false),
    placeState(2, 0, false),
  ];
  expect(states).toEqual(['up', 'disturbed', 'down', 'unknown', 'unknown', 'unknown', 'up']);
});
