import { refusalText } from '../../shop/decline.ts';
import { errorMessage } from '../../shop/error-message.ts';
import { errorText, type TextKey, type Translate } from '../../shop/texts.ts';
import type { Problem } from './use-checkout.ts';

/** Code of a refusal without a cause; its text is about cards. */
const CARD_DECLINED = '2002';

/**
 * Error text by cause: check the data, try another card, ask the bank, wait.
 * @param declined text of a method other than cards
 */
export function problemText(t: Translate, problem: Problem, declined?: TextKey): string {
  switch (problem.kind) {
    case 'declined':
      return declined && problem.code === CARD_DECLINED ? t(declined) : errorText(problem.code);
    case 'refused':
      return refusalText(t, problem);
    case 'outdated':
      return t(problem.text as TextKey);
    case 'interrupted':
      return errorMessage(problem.error);
    case 'closed':
      return t(problem.status === 'refunded' ? 'order.refunded.title' : 'order.expired.title');
  }
}
