import { createSmtpMailer } from '../../adapters/smtp-mailer.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { readAlertEnv } from '../../env/env.ts';
import { InvalidInput } from '../../kernel/invalid-input.ts';
import {
  listAlerts,
  MOST_OF_A_KIND,
  openAlertCounts,
  openAlertKinds,
  resolveByStaff,
  retrySubject,
  testMessage,
} from '../../modules/alert/index.ts';
import { ownerOf } from '../../modules/staff/index.ts';
import { alertingOf } from '../alerting.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'alerts'> = {
  async list({ db }) {
    const alerts = await listAlerts(db);
    const counts = Object.entries(await openAlertCounts(db));
    return {
      alerts: alerts.map(({ since, lastSeen, what, ...alert }) => ({
        ...alert,
        facts: what,
        since: since.toISOString(),
        lastSeen: lastSeen.toISOString(),
      })),
      more: counts
        .filter(([, open]) => open > MOST_OF_A_KIND)
        .map(([kind, open]) => ({ kind, count: open - MOST_OF_A_KIND })),
    };
  },

  // A subject with alerts of several kinds needs the kind, so that the others stay open.
  async resolve({ db, clock, note }, { input: { subject, kind: only } }) {
    const open = (await openAlertKinds(db, [subject])).get(subject) ?? [];
    const [kind, ...more] = only ? open.filter(each => each === only) : open;
    if (!kind) throw new InvalidInput(`${subject} has no open alert${only ? ` of the kind ${only}` : ''}.`);
    if (more.length > 0)
      throw new InvalidInput(`${subject} has several alerts. Name one kind: ${open.join(', ')}`);
    await resolveByStaff(db, clock.now(), kind, subject);
    note({ subject, customerId: await ownerOf(db, subject), before: { alert: kind } });
    return { kind, subject };
  },

  async test({ source, note }, { input: { channel: only } }) {
    const env = readAlertEnv(source);
    const mailer = createSmtpMailer(env.SMTP_URL, env.MAIL_FROM, env.SUPPORT_EMAIL);
    const alerting = alertingOf(env, mailer, systemClock);
    const asked = alerting.channels.filter(({ name }) => !only || name === only);
    if (only && asked.length === 0)
      throw new InvalidInput(`The channel ${only} is not set up (docs/operate/alerts.md).`);
    const message = testMessage(alerting, `test-${systemClock.now().getTime()}`);
    const channels = await Promise.all(
      asked.map(async ({ name, send }) => ({
        channel: name,
        error: await send(message).then(
          () => null,
          (error: Error) => error.message,
        ),
      })),
    );
    note({ after: { channels: channels.map(({ channel }) => channel).join(' ') } });
    return { channels };
  },

  async retry({ db, clock, jobs, note }, { input: { subject } }) {
    const queues = await retrySubject(db, clock.now(), await jobs(), subject);
    if (queues.length === 0) throw new InvalidInput(`Nothing of ${subject} can be retried.`);
    note({ subject, after: { queues: queues.join(' ') } });
    return { subject, queues };
  },
};
