import { moneyText } from '../../kernel/money-text.ts';

/** Names of facts that are integer hundredths of the currency beside them. */
const AMOUNTS = ['amount', 'received', 'due'];

/** Facts of an alert as text. Amounts are in whole units, because staff pays what they read. */
export const factTexts = (facts: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      AMOUNTS.includes(name) ? moneyText(Number(value), String(facts.currency)) : String(value),
    ]),
  );
