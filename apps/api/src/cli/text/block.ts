import { minute } from '../../kernel/minute.ts';
import { type TextsOf, table } from './text.ts';

export const texts: TextsOf<'block'> = {
  list({ entries }, { about }) {
    if (entries.length === 0) return `Nothing ${about ? `of ${about} ` : ''}is on the block list.`;
    return table(
      entries.map(({ id, kind, customerId, reason, since, until }) => [
        ...[id, kind, customerId, `since ${minute(new Date(since))}`],
        ...[until ? `until ${minute(new Date(until))}` : 'for good', reason],
      ]),
    );
  },
  remove: ({ entry, kind, customerId }) => `${entry} (${kind} of ${customerId}) is off the block list.`,
};
