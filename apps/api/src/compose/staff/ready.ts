import { createSmtpMailer } from '../../adapters/smtp-mailer.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { readAlertEnv, readProviderEnv, readSandbox } from '../../env/env.ts';
import { alertingOf, alertingWarnings, mailWarnings } from '../alerting.ts';
import { readinessWarnings } from '../readiness.ts';
import type { HandlersOf } from './handler.ts';

/** Warnings about the mail server, and about who is told of alerts. */
async function tellingWarnings(source: NodeJS.ProcessEnv): Promise<string[]> {
  if (!source.SMTP_URL) return [];
  const env = readAlertEnv(source);
  const mailer = createSmtpMailer(env.SMTP_URL, env.MAIL_FROM, env.SUPPORT_EMAIL);
  const alerting = alertingOf(env, mailer, systemClock);
  return [...(await mailWarnings(mailer)), ...(readSandbox(source) ? [] : alertingWarnings(alerting))];
}

export const handlers: HandlersOf<'ready'> = {
  show: async ({ db, env, source }) => ({
    lacks: [
      ...(await readinessWarnings(db, { ...env, ...readProviderEnv(source) })),
      ...(await tellingWarnings(source)),
    ],
  }),
};
