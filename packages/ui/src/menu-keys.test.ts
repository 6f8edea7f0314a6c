import { describe, expect, it } from 'vitest';
import { menuMove } from './menu-keys.ts';

const labels = ['English', 'ไทย', 'Tiếng Việt', 'Tagalog'];

describe('keys of a menu', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 3, 0],
    ['ArrowUp', 0, 3],
    ['ArrowUp', -1, 3],
    ['Home', 2, 0],
    ['End', 0, 3],
    ['t', 0, 2],
    ['t', 2, 3],
    ['T', 3, 2],
    ['ไ', 0, 1],
  ])('%s at %i goes to %i', (key, at, to) => {
    expect(menuMove(key, at, labels)).toBe(to);
  });

  it.each(['Tab', 'Enter', ' ', 'Escape', 'z'])('leaves %j to the browser', key => {
    expect(menuMove(key, 0, labels)).toBeUndefined();
    expect(menuMove(key, 0, [])).toBeUndefined();
  });
});
