import { minute } from '../../kernel/minute.ts';
import type { TextsOf } from './text.ts';

/** Subscriptions that a plan lists; --json has all. */
const SHOWN = 10;

const REASONS: Record<string, string> = {
  notStarted: 'it has not started',
  ended: 'it has ended',
  pastDue: 'its payment is past due',
  suspended: 'it is suspended',
  replaced: 'another one takes its place',
  repeated: 'it was given as many less than a day ago',
  ceiling: 'it would have more than 31 free days in 31 days',
};

const skippedText = (skipped: readonly { subscription: string; why: string }[]): string[] =>
  skipped.map(({ subscription, why }) => `Skipped: ${subscription}, ${REASONS[why] ?? why}.`);

export const texts: TextsOf<'days'> = {
  give: {
    plan: ({ days, given, skipped }) =>
      [
        `Would give free days, ${days} each, to subscriptions: ${given.length}. An email tells each customer.`,
        ...given
          .slice(0, SHOWN)
          .map(
            ({ subscription, from, until }) =>
              `  ${subscription}  paid until ${minute(new Date(from))}, then until ${minute(new Date(until))}`,
          ),
        ...(given.length > SHOWN ? [`  … and ${given.length - SHOWN} more: see --json`] : []),
        ...skippedText(skipped),
      ].join('\n'),
    done: ({ days, given, skipped }) =>
      [
        `Subscriptions with more days: ${given}, ${days} each. An email tells each customer.`,
        ...skippedText(skipped),
      ].join('\n'),
  },
};
