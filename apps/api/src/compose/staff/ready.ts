import { createSmtpMailer } from '../../adapters/smtp-mailer.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { otherNodes } from '../../database/nodes.ts';
import { readAlertEnv, readProviderEnv, readSandbox } from '../../env/env.ts';
import { cutSettings, misspeltSettings } from '../../env/env-file.ts';
import { minute } from '../../kernel/minute.ts';
import { isLate, newestBackup } from '../../modules/backup/index.ts';
import { alertingOf, alertingWarnings, mailWarnings } from '../alerting.ts';
import { readinessWarnings } from '../readiness.ts';
import type { HandlersOf, Work } from './handler.ts';

/** Warnings about the mail server, and about who is told of alerts. */
async function tellingWarnings(source: NodeJS.ProcessEnv): Promise<string[]> {
  if (!source.SMTP_URL) return [];
  const env = readAlertEnv(source);
  const mailer = createSmtpMailer(env.SMTP_URL, env.MAIL_FROM, env.SUPPORT_EMAIL);
  const alerting = alertingOf(env, mailer, systemClock);
  return [...(await mailWarnings(mailer)), ...(readSandbox(source) ? [] : alertingWarnings(alerting))];
}

/** Warnings about backups that nobody makes, or that are too old. */
async function backupWarnings({ db, env }: Pick<Work, 'db' | 'env'>): Promise<string[]> {
  const { made } = await newestBackup(db);
  if (made && !isLate(made, env.BACKUP_EVERY, systemClock.now())) return [];
  if (env.BACKUP_RECIPIENTS.length === 0 || !env.BACKUP_DIR)
    return ['Nobody backs the shop up. Set BACKUP_RECIPIENTS and BACKUP_DIR: docs/operate/backup.md'];
  return [
    made
      ? `The newest backup is of ${minute(made)}, which is too old. To make one and see what fails: npm run shop -- backup`
      : 'No backup was made yet. Make the first one: npm run shop -- backup',
  ];
}

const older = (node: string): string =>
  `A node of another version runs: ${node}. Until it stops, nobody can accept an invitation or change their email address.`;

export const handlers: HandlersOf<'ready'> = {
  show: async ({ db, env, source }) => ({
    lacks: [
      ...cutSettings(source),
      ...misspeltSettings(source),
      ...(await readinessWarnings(db, { ...env, ...readProviderEnv(source) })),
      ...(await otherNodes(db)).map(older),
      ...(await tellingWarnings(source)),
      ...(readSandbox(source) ? [] : await backupWarnings({ db, env })),
    ],
  }),
};
