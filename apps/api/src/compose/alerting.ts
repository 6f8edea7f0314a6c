import { createEmailChannel } from '../adapters/alert-channels/email.ts';
import { createNtfyChannel } from '../adapters/alert-channels/ntfy.ts';
import { call } from '../adapters/alert-channels/post.ts';
import { createSlackChannel } from '../adapters/alert-channels/slack.ts';
import { createWebhookChannel } from '../adapters/alert-channels/webhook.ts';
import type { AlertEnv } from '../env/env.ts';
import type { Alerting, ConfiguredChannel } from '../ports/alert-channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mailer, MailServer } from '../ports/mailer.ts';

/** A heartbeat that is lost on its way is no silence. */
const BEATS = 3;

function channelsOf(env: AlertEnv, mailer: Mailer, systemClock: Clock): ConfiguredChannel[] {
  const channels: ConfiguredChannel[] = [];
  if (env.ALERT_EMAIL.length > 0) {
    const domain = env.MAIL_FROM.split('@').at(-1)!.replace(/>.*/, '');
    const email = createEmailChannel(mailer, { to: env.ALERT_EMAIL, domain });
    channels.push({ ...email, least: env.ALERT_EMAIL_SEVERITY, kinds: env.ALERT_EMAIL_KINDS });
  }
  if (env.ALERT_WEBHOOK_URL && env.ALERT_WEBHOOK_SECRET) {
    const at = { url: env.ALERT_WEBHOOK_URL, secret: env.ALERT_WEBHOOK_SECRET };
    const webhook = createWebhookChannel(systemClock, at);
    channels.push({ ...webhook, least: env.ALERT_WEBHOOK_SEVERITY, kinds: env.ALERT_WEBHOOK_KINDS });
  }
  if (env.ALERT_NTFY_URL) {
    const ntfy = createNtfyChannel({ url: env.ALERT_NTFY_URL, token: env.ALERT_NTFY_TOKEN });
    channels.push({ ...ntfy, least: env.ALERT_NTFY_SEVERITY, kinds: env.ALERT_NTFY_KINDS });
  }
  if (env.ALERT_SLACK_URL) {
    const slack = createSlackChannel({ url: env.ALERT_SLACK_URL });
    channels.push({ ...slack, least: env.ALERT_SLACK_SEVERITY, kinds: env.ALERT_SLACK_KINDS });
  }
  return channels;
}

async function beat(url: string): Promise<void> {
  for (let left = BEATS; ; left -= 1) {
    try {
      return await call(url, { method: 'GET' });
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/** How staff is told of alerts, by the settings. */
export const alertingOf = (env: AlertEnv, mailer: Mailer, systemClock: Clock): Alerting => ({
  channels: channelsOf(env, mailer, systemClock),
  quiet: env.ALERT_QUIET_HOURS,
  mostAnHour: env.ALERT_MOST_AN_HOUR,
  digestHour: env.ALERT_DIGEST_HOUR,
  beat: env.ALERT_HEARTBEAT_URL ? () => beat(env.ALERT_HEARTBEAT_URL!) : undefined,
  brand: env.BRAND_NAME,
  docs: env.ALERT_DOCS_URL,
});

/** What an operator should add so that somebody hears of every fault. */
export function alertingWarnings({ channels, beat }: Alerting): string[] {
  const more = channels.some(({ name }) => name !== 'email');
  return [
    ...(channels.length === 0
      ? [
          'Nobody is told of alerts. Set ALERT_EMAIL, and a channel that needs no mail server: docs/operate/alerts.md',
        ]
      : more
        ? []
        : [
            'Nobody is told that the mail server fails. Set ALERT_WEBHOOK_URL, ALERT_NTFY_URL or ALERT_SLACK_URL as well: docs/operate/alerts.md',
          ]),
    ...(beat
      ? []
      : [
          'Nobody is told that the shop or its database stands still. Set ALERT_HEARTBEAT_URL: docs/operate/alerts.md',
        ]),
  ];
}

/** What is wrong with the mail server. */
export const mailWarnings = (mailer: Pick<MailServer, 'check'>): Promise<string[]> =>
  mailer.check().then(
    () => [],
    (error: Error) => [
      `No email leaves: ${error.message}. Check SMTP_URL, and whether the mail server runs.`,
    ],
  );
