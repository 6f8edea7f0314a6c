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

/** The address of its subscription stands before a subject that names only the plan. */
const withoutAddress = ({ subject, ...email }: Email): Email => ({
  ...email,
  subject: subject.replace(/^\d+\.\d+\.\d+\.\d+ · /, ''),
});

function boxFaults(facts: Facts, payer: Payer, all: readonly Email[], sleep: Sleep): string[] {
  const box = all.map(withoutAddress);
  const faults: string[] = [];
  const rules = emailRules(facts, payer, sleep);
  for (const { subject } of box)
    if (!rules.some(({ pattern }) => pattern.test(subject))) faults.push(`${payer.email}: “${subject}”`);
  for (const { pattern, expected, attached, byNumber } of rules) {
    const found = box.filter(({ subject }) => pattern.test(subject));
    const counts = new Map<string, number>();
    for (const { subject, attachments } of found) {
      const abouts = byNumber
        ? attachments.map(file => file.replace(/\.pdf$/, ''))
        : [pattern.exec(subject)![1] ?? ''];
      for (const about of abouts) counts.set(about, (counts.get(about) ?? 0) + 1);
      if (attached !== 'some' && attachments.length > 0 !== (attached === 'each'))
        faults.push(`${payer.email}: ${attachments.length} attached to “${subject}”`);
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
