import { codeOf } from '../../lib/faults.ts';
import { errorText, type TextKey, type Translate } from '../../shop/texts.ts';
import type { Problem } from './use-checkout.ts';

/** Error text by cause: check the data, try another card, ask the bank, look again (U59). */
export function problemText(t: Translate, problem: Problem): string {
  switch (problem.kind) {
    case 'declined':
      return errorText(problem.code);
    case 'refused':
      return problem.words ?? t(problem.text);
    case 'outdated':
      return t(problem.text as TextKey);
    case 'interrupted':
      return errorText(codeOf(problem.error));
    case 'closed':
      return t(problem.status === 'refunded' ? 'order.refunded.title' : 'order.expired.title');
  }
}
