import type { TextsOf } from './text.ts';

export const texts: TextsOf<'account'> = {
  close: {
    plan: ({ customerId, email, subscriptions, blocks }) =>
      [
        `Would close the account of ${email} (${customerId}) at once. That cannot be undone.`,
        `Subscriptions that end: ${subscriptions.length > 0 ? subscriptions.join(', ') : 'none'}.`,
        `Put on the block list: ${blocks.map(({ kind, count }) => `${kind} ${count}`).join(', ')}.`,
        'Nothing is refunded by this, and an email tells its customer.',
      ].join('\n'),
    done: ({ email, blocked }) => `The account of ${email} is closed. Entries on the block list: ${blocked}.`,
  },
  unblock: ({ customerId, removed }) => `Entries of ${customerId} taken off the block list: ${removed}.`,
};
