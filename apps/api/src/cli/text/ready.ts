import type { TextsOf } from './text.ts';

export const texts: TextsOf<'ready'> = {
  show: ({ lacks }) =>
    lacks.length > 0 ? { says: lacks.join('\n'), bad: true } : 'Nothing is missing: the shop can sell.',
};
