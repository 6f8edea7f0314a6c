import { emailRules } from './email-rules.ts';
import type { Email, Facts, Payer } from './facts.ts';
import type { Sleep } from './renewal-emails.ts';

/** Faults of emails: each that is due came, none came twice, none came that nothing explains. */
export function emailFaults(facts: Facts, sleep: Sleep): string[] {
  const boxes = Map.groupBy(facts.emails, ({ to }) => to);
  const strangers = [...boxes.keys()].filter(to => !facts.payers.some(({ email }) => email === to));
  return [
    ...strangers.map(to => `an email to ${to}`),
    ...facts.payers.flatMap(payer => boxFaults(facts, payer, boxes.get(payer.email) ?? [], sleep)),
  ];
}

function boxFaults(facts: Facts, payer: Payer, box: readonly Email[], sleep: Sleep): string[] {
  const faults: string[] = [];
  const rules = emailRules(facts, payer, sleep);
  for (const { subject } of box)
    if (!rules.some(({ pattern }) => pattern.test(subject))) faults.push(`${payer.email}: “${subject}”`);
  for (const { pattern, expected, attached } of rules) {
    const found = box.filter(({ subject }) => pattern.test(subject));
    const counts = new Map<string, number>();
    for (const { subject, attachments } of found) {
      const about = pattern.exec(subject)![1] ?? '';
      counts.set(about, (counts.get(about) ?? 0) + 1);
      if (attachments > 0 !== (attached ?? false))
        faults.push(`${payer.email}: ${attachments} attached to “${subject}”`);
    }
    for (const about of new Set([...counts.keys(), ...expected.keys()])) {
      const n = counts.get(about) ?? 0;
      const { least, most } = expected.get(about) ?? { least: 0, most: 0 };
      if (n < least || n > most)
        faults.push(
          `${payer.email}: ${n} of ${pattern} ${about}, not ${least}${most > least ? ` to ${most}` : ''}`,
        );
    }
  }
  return faults;
}
