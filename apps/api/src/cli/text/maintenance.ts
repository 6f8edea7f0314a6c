import type { TextsOf } from './text.ts';

export const texts: TextsOf<'maintenance'> = {
  on: () => 'maintenance is on',
  off: () => 'maintenance is off',
};
