import type { ScheduledTask } from '../../../ports/jobs.ts';

export const forgetInvitationsTask: ScheduledTask = {
  name: 'forgetInvitations',
  interval: 'hour',
  description: 'Deletes invitations that nobody has accepted in time, with their email addresses.',
  async run({ db, systemClock }) {
    await db.deleteFrom('invitation').where('expires_at', '<=', systemClock.now()).execute();
  },
};
