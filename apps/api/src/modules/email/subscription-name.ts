import type { Translator } from '../text/index.ts';
import type { EmailContent } from './email-content.ts';

/** A subscription as emails name it: its plan, and what tells it apart from others of the same plan. */
export type Named = { plan: string; address: string; label: string | null };

/** Name of a subscription in tables: its customer's label, else "Solo 203.0.113.48"; the plan alone once its address is gone. */
export const subscriptionName = ({ plan, address, label }: Named): string =>
  label || [plan, address].filter(Boolean).join(' ');

/**
 * Puts label or address before a subject that names only the plan (a phone shows some forty signs), and the label above the
 * facts.
 */
export function withName(
  { t }: Pick<Translator, 't'>,
  content: EmailContent,
  { address, label }: Named,
): EmailContent {
  const { subject, rows = [] } = content;
  const name = label || address;
  return {
    ...content,
    subject: name && !subject.includes(name) ? `${name} · ${subject}` : subject,
    ...(label && { rows: [{ label: t('facts.subscription'), value: label }, ...rows] }),
  };
}
