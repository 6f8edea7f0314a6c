import type { ScheduledTask } from '../../../ports/jobs.ts';

export const makeBackupTask: ScheduledTask<{ backups: { run(): Promise<void> } }> = {
  name: 'makeBackup',
  interval: 'minute',
  description:
    'Makes a backup when it is due, copies it, deletes old ones, and writes deleted accounts and the last numbers beside the backups. Raises an alert when a backup is late.',
  run: ({ backups }) => backups.run(),
};
