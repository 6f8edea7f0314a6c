import { moneyText } from '../../compose/staff/amounts.ts';
import { minute } from '../../kernel/minute.ts';
import type { TextsOf } from './text.ts';

/** Names of facts that are integer hundredths of the currency beside them. */
const AMOUNTS = ['amount', 'received', 'due'];

/** Shows amounts in whole units, because staff pays what they read here. */
const factsText = (facts: Record<string, unknown>): string[] =>
  Object.entries(facts).map(([name, value]) =>
    AMOUNTS.includes(name)
      ? `${name} ${moneyText(Number(value), String(facts.currency))}`
      : `${name} ${value}`,
  );

export const texts: TextsOf<'alerts'> = {
  list({ alerts, more }) {
    if (alerts.length === 0) return 'No alert is open.';
    const listed = alerts.map(({ kind, subject, since, lastSeen, times, facts, summary, remedy }) => {
      const from = `since ${minute(new Date(since))}`;
      const seen = times === 1 ? from : `${from}, ${times} times, last ${minute(new Date(lastSeen))}`;
      return [
        `${kind}  ${subject}  (${seen})`,
        summary,
        ...factsText(facts),
        `→ ${remedy.replaceAll('\n', '\n    ')}`,
      ].join('\n  ');
    });
    const further = more.map(
      ({ kind, count }) => `… and ${count} more of ${kind}, listed once these are resolved.`,
    );
    return { says: [...listed, ...further].join('\n\n'), bad: true };
  },
  resolve: ({ kind, subject }) => `Resolved: ${kind} ${subject}.`,
  retry: ({ subject, queues }) => `${subject} is queued again: ${queues.join(', ')}.`,
};
