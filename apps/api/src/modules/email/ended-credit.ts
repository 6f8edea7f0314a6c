import { formatMoney } from '@fixpoint/texts/format.ts';
import { endedCredit } from '../billing/index.ts';
import type { EmailContext } from './define-email.ts';

/** Says what became of the credit of an account that has ended; nothing where there was none. */
export async function endedCreditTexts({ db, customerId, t, language }: EmailContext): Promise<string[]> {
  const ended = await endedCredit(db, customerId);
  return ended.flatMap(({ currency, refunded, goodwill, left }) => {
    const say = (key: string, amount: number) =>
      amount > 0 ? [t(key, { amount: formatMoney(amount, currency, language) })] : [];
    return [
      ...say('accountEnded.credit.refunded', refunded),
      ...say('accountEnded.credit.goodwill', goodwill),
      ...say('accountEnded.credit.left', left),
    ];
  });
}
