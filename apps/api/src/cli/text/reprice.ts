import type { TextsOf } from './text.ts';

export const texts: TextsOf<'reprice'> = {
  announce: {
    plan: ({ affected }) =>
      `${affected} subscriptions are affected. Their customers are notified now, by email and on their pages.`,
    done: ({ notified }) =>
      `${notified} customers were notified. Subscriptions with a cancelled renewal or a planned plan change keep their price: run it again later.`,
  },
};
