import { type RawBuilder, sql } from 'kysely';
import type { Translator } from '../text/index.ts';
import type { EmailContent } from './email-content.ts';

/** Values of an email about one subscription. */
export type Named = { subscriptionName?: string };

/**
 * SQL: how an email tells a subscription apart: its label; without one its address, where its
 * customer has another subscription; else empty.
 */
export const subscriptionNameOf = (id: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(
    select coalesce(named.label, case when exists (
      select from subscription other where other.customer_id = named.customer_id and other.id <> named.id
    ) then (select host(address) from static_ip where subscription_id = named.id limit 1) end, '')
    from subscription named where named.id = ${id})`;

/** Puts the name of its subscription before the subject, unless that has it, and above the facts. */
export function withName(
  { t }: Pick<Translator, 't'>,
  content: EmailContent,
  { subscriptionName: name }: Named,
): EmailContent {
  if (!name) return content;
  const { subject, rows = [] } = content;
  return {
    ...content,
    subject: subject.includes(name) ? subject : `${name}: ${subject}`,
    rows: [{ label: t('facts.subscription'), value: name }, ...rows],
  };
}
