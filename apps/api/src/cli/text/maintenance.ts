import type { TextsOf } from './text.ts';

export const texts: TextsOf<'maintenance'> = {
  on: {
    plan: () =>
      'Would refuse new orders and payments until maintenance is off, and say so on the pages of all customers. Tunnels stay up.',
    done: () => 'maintenance is on',
  },
  off: () => 'maintenance is off',
};
