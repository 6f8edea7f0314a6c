import type { ScheduledTask } from '../../ports/jobs.ts';

export const laterMigrationsTask: ScheduledTask<{ migrateLater: () => Promise<void> }> = {
  name: 'laterMigrations',
  interval: 'minute',
  description: 'Applies what waited at the start of this version for nodes of an older one to stop.',
  run: ({ migrateLater }) => migrateLater(),
};
