import { expect, test } from 'vitest';
import { leastByCard, paidByCredit } from './least.ts';

test.each([
  ['all of it', 'THB', 199_00, 300_00, 199_00],
  ['to the last satang', 'THB', 199_00, 199_00, 199_00],
  ['what there is', 'THB', 199_00, 50_00, 50_00],
  ['what leaves just the least', 'THB', 199_00, 189_00, 189_00],
  ['less than there is, where a card could not pay the rest', 'THB', 199_00, 195_00, 189_00],
  ['what there is of an amount that no card pays anyway', 'THB', 8_00, 5_00, 5_00],
  ['yen, which have no hundredths', 'JPY', 900_00, 870_00, 850_00],
  ['what there is, where no least is known', 'CHF', 1_00, 99, 99],
])('M11 credit pays %s', (_, currency, due, available, paid) => {
  expect(paidByCredit(currency, due, available)).toBe(paid);
  const rest = due - paid;
  if (due >= leastByCard(currency) && rest > 0) expect(rest).toBeGreaterThanOrEqual(leastByCard(currency));
});
