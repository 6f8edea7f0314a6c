import { formatMoney } from '@fixpoint/texts/format.ts';
import { endedCredit } from '../billing/index.ts';
import type { EmailContext } from './define-email.ts';

/** Says what became of the credit of an account that has ended; nothing where there was none. */
export async function endedCreditTexts({ db, customerId, t, language }: EmailContext): Promise<string[]> {
  const ended = await endedCredit(db, customerId);
  return ended.flatMap(({ currency, refunded, goodwill, left }) =>
    Object.entries({ refunded, goodwill, left })
      .filter(([, amount]) => amount > 0)
      .map(([what, amount]) =>
        t(`accountEnded.credit.${what}`, { amount: formatMoney(amount, currency, language) }),
      ),
  );
}
