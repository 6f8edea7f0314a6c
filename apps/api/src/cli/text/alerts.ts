import { minute } from '../../kernel/minute.ts';
import { factTexts } from '../../modules/alert/index.ts';
import type { TextsOf } from './text.ts';

export const texts: TextsOf<'alerts'> = {
  list({ alerts, more }) {
    if (alerts.length === 0) return 'No alert is open.';
    const listed = alerts.map(
      ({ kind, subject, since, lastSeen, times, facts, severity, summary, remedy }) => {
        const from = `since ${minute(new Date(since))}`;
        const seen = times === 1 ? from : `${from}, ${times} times, last ${minute(new Date(lastSeen))}`;
        return [
          `${kind}  ${subject}  (${severity}, ${seen})`,
          summary,
          ...Object.entries(factTexts(facts)).map(([name, value]) => `${name} ${value}`),
          `→ ${remedy.replaceAll('\n', '\n    ')}`,
        ].join('\n  ');
      },
    );
    const further = more.map(
      ({ kind, count }) => `… and ${count} more of ${kind}, listed once these are resolved.`,
    );
    return { says: [...listed, ...further].join('\n\n'), bad: true };
  },
  test({ channels }) {
    if (channels.length === 0)
      return {
        says: 'No channel is set up: nobody is told of alerts. Set ALERT_EMAIL, ALERT_WEBHOOK_URL, ALERT_NTFY_URL or ALERT_SLACK_URL (docs/operate/alerts.md).',
        bad: true,
      };
    const lines = channels.map(({ channel, error }) =>
      error ? `${channel}: failed. ${error}` : `${channel}: sent. Look whether the message arrived.`,
    );
    return { says: lines.join('\n'), bad: channels.some(({ error }) => error !== null) };
  },
  resolve: ({ kind, subject }) => `Resolved: ${kind} ${subject}.`,
  retry: ({ subject, queues }) => `${subject} is queued again: ${queues.join(', ')}.`,
};
