import { minute } from '../../kernel/minute.ts';
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
  email: {
    plan: ({ customerId, present, email, stops }) =>
      [
        ...stops.map(other => `Would stop the change of ${present} to ${other}.`),
        ...(email === present
          ? []
          : [
              `Would give the account of ${present} (${customerId}) the address ${email} in 24 hours.`,
              'Both addresses are emailed. The owner of the present one can stop it by a link until then, and undo it for 7 days after.',
            ]),
      ].join('\n'),
    done: ({ customerId, email, holdsFrom }) =>
      holdsFrom
        ? `${customerId} has the address ${email} from ${minute(new Date(holdsFrom))} on, unless its owner stops it.`
        : `${customerId} keeps the address ${email}.`,
  },
  unblock: ({ customerId, removed }) => `Entries of ${customerId} taken off the block list: ${removed}.`,
};
