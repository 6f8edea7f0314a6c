import { counted, duration } from './backup-words.ts';
import type { TextsOf } from './text.ts';

export const texts: TextsOf<'restore'> = {
  backup({ at, version, counts, migrated, numbers, listAt, deletedAgain, hosts, ageSeconds, seconds }) {
    return [
      `Backup of ${at}, Fixpoint ${version}: ${counted(counts)}.`,
      ...(migrated.length > 0 ? [`Applied the migrations ${migrated.join(', ')}.`] : []),
      `RPO: what happened in the last ${duration(ageSeconds)} before now is lost.`,
      `RTO: restored in ${duration(seconds)}.`,
      listAt
        ? `Deleted ${deletedAgain.length} accounts again, which were deleted between the backup and ${listAt}.`
        : 'Without the list, accounts that were deleted after the backup are open again.',
      ...numbers.map(({ series, next }) => `The next number of ${series} is ${next}.`),
      'Purchases are blocked (maintenance), and the shop does not start yet. Now:',
      listAt
        ? '1. If anybody has a higher number than these, name it:\nnpm run shop -- numbers given NUMBER'
        : '1. Name the highest numbers that anybody has:\nnpm run shop -- numbers given NUMBER',
      '2. Settle what the gateways have and the shop does not know (docs/operate/restoring.md):\nnpm run shop -- books',
      '3. Let the shop start, and start it:\nnpm run shop -- restore finish',
      `4. See what the ${hosts} hosts run that the shop does not know:\nnpm run shop -- host drift\nnpm run shop -- alerts`,
      '5. Sell again:\nnpm run shop -- maintenance off',
    ].join('\n');
  },
  finish: {
    plan: ({ backupAt, numbers }) =>
      [
        `The shop was restored from a backup of ${backupAt}. When it starts, it charges the renewals that it believes unpaid.`,
        ...numbers.map(({ series, next }) => `The next number of ${series} is ${next}.`),
      ].join('\n'),
    done: () => 'The shop may start now. Purchases are blocked until: npm run shop -- maintenance off',
  },
};
