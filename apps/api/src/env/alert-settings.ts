import { z } from 'zod';
import { isAlertKind } from '../modules/alert/index.ts';
import { severities } from '../ports/alert-channel.ts';
import { group, list, safeUrl, setting, text } from './fields.ts';

const least = (of: string) =>
  setting(
    z.enum(severities).default('notice'),
    `Least severe alerts that ${of}: critical, warning or notice.`,
  );
const kinds = (of: string) =>
  setting(
    list
      .refine(
        names => names.every(isAlertKind),
        'must be kinds of alerts, separated by commas (docs/operate/reference.md)',
      )
      .default([]),
    `Kinds of alerts that ${of}, separated by commas. Empty: all of that severity.`,
    { example: 'host.silent,mail.failing' },
  );

const clockTime = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** How staff is told of alerts. */
export const alertSettings = group('Alerts', {
  ALERT_EMAIL: setting(
    list
      .refine(
        addresses => addresses.every(address => z.email().safeParse(address).success),
        'must be email addresses',
      )
      .default([]),
    'Addresses of staff that are emailed about alerts, separated by commas, through the mail server of the shop. Add a channel that does not need that: who else says that it fails? docs/operate/alerts.md.',
    { example: 'ops@example.com' },
  ),
  ALERT_EMAIL_SEVERITY: least('are emailed'),
  ALERT_EMAIL_KINDS: kinds('are emailed'),
  ALERT_WEBHOOK_URL: setting(
    safeUrl.optional(),
    'Address of your own service that gets a signed webhook (Standard Webhooks) for each message about alerts.',
    { example: 'https://ops.example.com/fixpoint' },
  ),
  ALERT_WEBHOOK_SECRET: setting(
    z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'must be whsec_ and 24 to 64 random bytes in base64')
      .optional(),
    'Secret that signs the webhooks: whsec_ and the output of openssl rand -base64 32.',
  ),
  ALERT_WEBHOOK_SEVERITY: least('the webhook gets'),
  ALERT_WEBHOOK_KINDS: kinds('the webhook gets'),
  ALERT_NTFY_URL: setting(
    safeUrl
      .refine(url => /^\/([^/]+\/)*[-\w]{1,64}$/.test(new URL(url).pathname), 'must end with the topic')
      .optional(),
    'Topic at an ntfy server, which sends alerts to phones. At the public server everybody who knows a topic reads it: choose a long random name.',
    { example: 'https://ntfy.sh/YOUR-LONG-RANDOM-TOPIC' },
  ),
  ALERT_NTFY_TOKEN: setting(text.optional(), 'Access token of that server, if it needs one.'),
  ALERT_NTFY_SEVERITY: least('ntfy gets'),
  ALERT_NTFY_KINDS: kinds('ntfy gets'),
  ALERT_SLACK_URL: setting(
    safeUrl.optional(),
    'Incoming webhook of Slack, or of a chat that takes the same: Mattermost, Rocket.Chat, Discord (with /slack at the end).',
    { example: 'https://hooks.slack.com/services/YOURS' },
  ),
  ALERT_SLACK_SEVERITY: least('the chat gets'),
  ALERT_SLACK_KINDS: kinds('the chat gets'),
  ALERT_QUIET_HOURS: setting(
    z
      .string()
      .regex(new RegExp(`^${clockTime}-${clockTime}$`), 'must be like 22:00-07:00')
      .transform(hours => {
        const [from = '', to = ''] = hours.split('-');
        return { from: minutes(from), to: minutes(to) };
      })
      .optional(),
    'Bangkok time in which only critical alerts are sent. The others follow afterwards, if they are still open.',
    { example: '22:00-07:00' },
  ),
  ALERT_MOST_AN_HOUR: setting(
    z.coerce.number().int().min(1).max(1_000).default(20),
    'Messages that a channel gets in an hour at most, critical ones and others each. The last of them tells of all further alerts in one line each kind.',
  ),
  ALERT_DIGEST_HOUR: setting(
    z.coerce.number().int().min(0).max(23).optional(),
    'Hour of the day in Bangkok at which each channel gets a list of all open alerts, unless none is open.',
    { example: '9' },
  ),
  ALERT_HEARTBEAT_URL: setting(
    safeUrl.optional(),
    'Address that the shop fetches each minute after it has read its database. A service outside, such as Healthchecks, tells you when that stops.',
    { example: 'https://hc-ping.com/YOURS' },
  ),
  ALERT_FREE_ADDRESSES: setting(
    z.coerce.number().int().min(0).default(5),
    'Free addresses of a place below which an alert is raised. One is raised as well where a place runs out within 14 days at the pace of the last 14.',
  ),
  ALERT_DOCS_URL: setting(
    text.default('docs/operate'),
    'Where your staff reads the folder docs/operate; the links in messages begin with it.',
    { example: 'https://git.example.com/fixpoint/docs/operate' },
  ),
});
