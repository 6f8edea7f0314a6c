import type { Size, Step } from './size.ts';

/** Resolved alerts of the last 80 days, and the messages of two channels about them. None is open. */
export const alerts = ({ customers }: Size): Step[] => [
  {
    table: 'alert',
    sql: `insert into alert (kind, subject, since, last_seen, resolved_at)
      select (array['attempt.unknown', 'refund.unfinished', 'document.failed'])[n % 3 + 1], id('att', n), at, at,
        at + interval '1 h'
      from generate_series(1, ${Math.round(customers * 0.6)}) n, lateral (select ago(n, 80) - interval '2 h' as at) l`,
  },
  {
    table: 'alert_delivery',
    sql: `insert into alert_delivery (channel, event, kind, subject, opening, created_at, tries, tried_at, sent_at)
      select channel, event, kind, subject, 1, at, 1, at, at
      from alert, unnest(array['email', 'webhook']) channel, unnest(array['opened', 'resolved']) event,
        lateral (select case event when 'opened' then since else resolved_at end as at) l`,
  },
];
