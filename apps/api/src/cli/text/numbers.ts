import type { TextsOf } from './text.ts';

export const texts: TextsOf<'numbers'> = {
  given: {
    plan: ({ from, to, count }) =>
      `${from} to ${to}: ${count} numbers that the shop does not know. It will never issue them.`,
    done: ({ series, next }) => `The next number of ${series} is ${next}.`,
  },
};
