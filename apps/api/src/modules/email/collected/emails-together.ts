import { formatMoney } from '@fixpoint/texts/format.ts';
import type { EmailContext, WrittenEmail } from '../define-email.ts';
import type { EmailContent } from '../email-content.ts';
import type { CollectedKind, EmailLine } from '../email-line.ts';

type Many = (context: EmailContext, lines: EmailLine[]) => Omit<EmailContent, 'rows'>;

/** Several of one kind as one table: subject, introduction and where to act. */
const tables: Partial<Record<CollectedKind, Many>> = {
  receipt: ({ t, pageAt, ...context }, lines) => {
    const values = { count: lines.length, total: sumOf(context, lines) };
    return {
      subject: t('receipt.subjectMany', values),
      preview: t('receipt.preview', values),
      paragraphs: [t('receipt.bodyMany')],
      action: { label: t('receipt.actionMany'), url: pageAt('management/billing') },
    };
  },
  ready: ({ t, pageAt }, lines) => ({
    subject: t('ready.subjectMany', { count: lines.length }),
    preview: t('ready.bodyMany'),
    paragraphs: [t('ready.bodyMany')],
    action: { label: t('group.action'), url: pageAt('management/subscription') },
  }),
  device: ({ t, pageAt }, lines) => ({
    subject: t('device.subjectMany', { count: lines.length }),
    preview: t('keyAdded.preview'),
    paragraphs: [t('device.bodyMany')],
    action: { label: t('group.action'), url: pageAt('management/subscription') },
    notes: [t('keyDeleted.note')],
  }),
  renewalAhead: ({ t, pageAt, ...context }, lines) => {
    const count = lines.filter(({ row }) => row.url).length;
    const values = { count, amount: sumOf(context, lines) };
    return {
      subject: t('renewalAhead.subjectMany', values),
      preview: t('renewalAhead.preview', values),
      paragraphs: [t('renewalAhead.bodyMany')],
      action: { label: t('group.action'), url: pageAt('management/subscription') },
      notes: [t('renewalAhead.noteMany')],
    };
  },
  renewalDue: ({ t, pageAt, ...context }, lines) => {
    const [soonest] = [...lines].sort((a, b) => a.days! - b.days!);
    const values = { left: soonest!.left!, count: lines.length, total: sumOf(context, lines) };
    return {
      subject: t('renewalDue.subjectMany', values),
      preview: t('renewalDue.bodyMany'),
      paragraphs: [t('renewalDue.bodyMany')],
      action: { label: t('group.action'), url: pageAt('management/subscription') },
      notes: [t('renewalDue.link'), t('renewalDue.note')],
    };
  },
};

/** Several emails of one kind as one: a table, or what each of them says. */
export function emailsTogether(
  context: EmailContext,
  kind: CollectedKind,
  written: readonly WrittenEmail[],
): EmailContent {
  const many = tables[kind];
  const lines = written.flatMap(({ line }) => line ?? []);
  if (many && lines.length === written.length) {
    const [rest] = lines.flatMap(({ carried }) => carried ?? []);
    const rows = lines.map(({ row }) => row);
    if (!rest) return { ...many(context, lines), rows };
    const carried = {
      label: context.t('document.carriedIn'),
      value: formatMoney(rest.amount, rest.currency, context.language),
    };
    return { ...many(context, [...lines, { row: carried, money: rest }]), rows: [...rows, carried] };
  }
  const { t } = context;
  const [first] = written;
  const contents = written.map(({ content }) => content);
  return {
    subject: t('group.subject', { subject: first!.content.subject, count: written.length - 1 }),
    preview: first!.content.preview,
    paragraphs: [],
    parts: contents.map(({ subject, paragraphs, action, rows = [] }) => ({
      title: subject,
      paragraphs: [...paragraphs, ...rows.map(({ label, value }) => t('plain.row', { label, value }))],
      ...(action && { action }),
    })),
    // Most say the same; each stands once.
    notes: [...new Set(contents.flatMap(({ notes = [] }) => notes))],
  };
}

/** The sum in each currency, joined: "THB 1,194.00 + USD 6.00". */
function sumOf({ language }: Pick<EmailContext, 'language'>, lines: readonly EmailLine[]): string {
  const sums = new Map<string, number>();
  for (const { money } of lines) {
    if (money) sums.set(money.currency, (sums.get(money.currency) ?? 0) + money.amount);
  }
  return [...sums].map(([currency, amount]) => formatMoney(amount, currency, language)).join(' + ');
}
