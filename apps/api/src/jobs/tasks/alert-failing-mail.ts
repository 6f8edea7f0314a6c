import { syncAlerts } from '../../modules/alert/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import type { MailServer } from '../../ports/mailer.ts';

type Deps = {
  db: Db;
  clock: Clock;
  mailer: Pick<MailServer, 'check'>;
  emailBacklog(db: Db): Promise<{ waiting: number; noneLeaves: boolean }>;
};

export const alertFailingMailTask: ScheduledTask<Deps> = {
  name: 'alertFailingMail',
  interval: 'minute',
  description:
    'Raises an alert while the mail server cannot be reached or takes no email, with the number that waits.',
  async run({ db, clock, mailer, emailBacklog }) {
    const refused = await mailer.check().then(
      () => undefined,
      (error: Error) => error.message,
    );
    const { waiting, noneLeaves } = await emailBacklog(db);
    const error = refused ?? (noneLeaves ? 'the mail server answers, but takes no email' : undefined);
    const alerts = error ? [{ subject: 'mail', what: { waiting, error } }] : [];
    await syncAlerts(db, clock.now(), 'mail.failing', alerts);
  },
};
