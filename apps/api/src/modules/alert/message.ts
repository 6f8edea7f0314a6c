import { isIPv6 } from 'node:net';
import { minute } from '../../kernel/minute.ts';
import { maskPersonal } from '../../log/log-redaction.ts';
import type { AlertMessage, Severity, ToldAlert } from '../../ports/alert-channel.ts';
import type { Facts } from '../../ports/json-columns.ts';
import { remedyOf } from './alerts.ts';
import { factTexts } from './facts-text.ts';
import { type AlertKind, alertKinds } from './kinds.ts';
import { severityOf } from './severities.ts';

/** What an alert's row holds for its message. */
export type AlertRow = {
  kind: string;
  subject: string;
  what: Facts;
  since: Date;
  resolved_at: Date | null;
};

const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b(?:\/\d+)?/g;
/** Also matches times of day, so what it finds is looked at. */
const IPV6 = /(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}/gi;

/** Masks email addresses, and network addresses, which may be a customer's: a message leaves the shop (S82). */
const withoutAddresses = (text: string): string =>
  maskPersonal(text)
    .replace(IPV4, '[address]')
    .replace(IPV6, found => (isIPv6(found) ? '[address]' : found));

/** The kinds of which a channel is told. */
export const kindsFrom = (least: readonly Severity[], only: readonly string[]): AlertKind[] =>
  (Object.keys(alertKinds) as AlertKind[]).filter(
    kind => least.includes(severityOf[kind]) && (only.length === 0 || only.includes(kind)),
  );

/** An alert as messages show it. An alert of a kind that another version has is shown by its name alone. */
function toldAlert({ kind, subject, what, since, resolved_at }: AlertRow): ToldAlert {
  const known = Object.hasOwn(alertKinds, kind);
  const facts = Object.entries(factTexts(what)).map(([name, value]) => [name, withoutAddresses(value)]);
  const named = withoutAddresses(subject);
  return {
    kind,
    subject: named,
    severity: known ? severityOf[kind as AlertKind] : 'warning',
    summary: known ? alertKinds[kind as AlertKind].summary : '',
    facts: Object.fromEntries(facts),
    remedy: known ? remedyOf(kind, named) : '',
    since: since.toISOString(),
    resolvedAt: resolved_at?.toISOString() ?? null,
  };
}

type Origin = { brand: string; docs: string };

const linkOf = ({ docs }: Origin, anchor: string): string =>
  `${docs.replace(/\/$/, '')}/reference.md#${anchor}`;
const since = ({ since, resolvedAt }: ToldAlert): string =>
  resolvedAt
    ? `Open from ${minute(new Date(since))} to ${minute(new Date(resolvedAt))}.`
    : `Since ${minute(new Date(since))}.`;

/** The message that an alert was opened or resolved. */
export function alertMessage(
  origin: Origin,
  id: string,
  event: 'opened' | 'resolved',
  row: AlertRow,
): AlertMessage {
  const alert = toldAlert(row);
  const link = linkOf(origin, 'alerts');
  const facts = Object.entries(alert.facts).map(([name, value]) => `${name}: ${value}`);
  const text =
    event === 'opened'
      ? [alert.summary, facts.join('\n'), since(alert), `What to do:\n${alert.remedy}`, `Reference: ${link}`]
      : [alert.summary, since(alert)];
  return {
    id,
    event,
    severity: alert.severity,
    title: `[${origin.brand}] ${event === 'opened' ? alert.severity : 'resolved'}: ${alert.kind} ${alert.subject}`,
    text: text.filter(Boolean).join('\n\n'),
    alerts: [alert],
    link,
  };
}

/** How many alerts of each kind: one line a kind, the most first. */
function countLines(rows: readonly { kind: string; event?: string }[]): string[] {
  const counted = Map.groupBy(rows, ({ kind, event }) =>
    event === 'resolved' ? `${kind} (resolved)` : kind,
  );
  return [...counted]
    .toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([name, { length }]) => `${length} × ${name}`);
}

const LIST = 'List them with what to do about each:\n  npm run shop -- alerts';

/** The message that tells of several alerts in one line a kind, because more opened than a channel gets in an hour. */
export function summaryMessage(
  origin: Origin,
  id: string,
  severity: Severity,
  rows: readonly { kind: string; event: string }[],
): AlertMessage {
  return {
    id,
    event: 'summary',
    severity,
    title: `[${origin.brand}] ${severity}: ${rows.length} more alerts`,
    text: [countLines(rows).join('\n'), LIST].join('\n\n'),
    alerts: [],
    link: linkOf(origin, 'alerts'),
  };
}

/** Alerts of a digest that are named one by one; the others are counted. */
const NAMED = 20;

/** The message that lists what is open, each day. */
export function digestMessage(origin: Origin, id: string, rows: readonly AlertRow[]): AlertMessage {
  const named = rows.slice(0, NAMED).map(toldAlert);
  const lines = named.map(
    ({ severity, kind, subject, since }) =>
      `${severity}: ${kind} ${subject}, since ${minute(new Date(since))}`,
  );
  const more = countLines(rows.slice(NAMED));
  return {
    id,
    event: 'digest',
    severity: 'notice',
    title: `[${origin.brand}] ${rows.length === 1 ? '1 alert is' : `${rows.length} alerts are`} open`,
    text: [lines.join('\n'), more.length > 0 ? `And:\n${more.join('\n')}` : '', LIST]
      .filter(Boolean)
      .join('\n\n'),
    alerts: named,
    link: linkOf(origin, 'alerts'),
  };
}

/** The message by which staff tries a channel. */
export const testMessage = (origin: Origin, id: string): AlertMessage => ({
  id,
  event: 'test',
  severity: 'notice',
  title: `[${origin.brand}] test`,
  text: 'A test of this channel. Alerts of the shop come like this message.',
  alerts: [],
  link: linkOf(origin, 'alerts'),
});
