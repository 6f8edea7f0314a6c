import { minute } from '../../kernel/minute.ts';
import { moneyText } from '../../kernel/money-text.ts';
import type { TextsOf } from './text.ts';

/** Says whether a subscription works again. */
export const restoredText = ({ subscription, open }: { subscription: string; open: string[] }): string =>
  open.length > 0
    ? `${subscription} stays suspended for: ${open.join(', ')}.`
    : `The keys of ${subscription} can connect again.`;

export const texts: TextsOf<'dispute'> = {
  list({ disputes }) {
    if (disputes.length === 0) return 'No dispute is open.';
    const says = disputes
      .map(
        ({ ref, status, reason, currency, amount, answerBy, subscriptions }) =>
          `${ref}  ${status}  ${reason}  ${moneyText(amount, currency)}  answer by ${answerBy ? minute(new Date(answerBy)) : 'no date'}  ${subscriptions.join(' ')}`,
      )
      .join('\n');
    return { says, bad: true };
  },
  evidence: ({ name }) =>
    `${name} is written. It names the customer: submit it to the provider, then delete it.`,
  restore: restoredText,
};
