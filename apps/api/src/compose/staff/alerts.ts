import { InvalidInput } from '../../kernel/invalid-input.ts';
import {
  listAlerts,
  MOST_OF_A_KIND,
  openAlertCounts,
  openAlertKinds,
  resolveByStaff,
  retrySubject,
} from '../../modules/alert/index.ts';
import { ownerOf } from '../../modules/staff/index.ts';
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
  async resolve({ db, note }, { input: { subject, kind: only } }) {
    const open = await openAlertKinds(db, subject);
    const [kind, ...more] = only ? open.filter(each => each === only) : open;
    if (!kind) throw new InvalidInput(`${subject} has no open alert${only ? ` of the kind ${only}` : ''}.`);
    if (more.length > 0)
      throw new InvalidInput(`${subject} has several alerts. Name one kind: ${open.join(', ')}`);
    await resolveByStaff(db, kind, subject);
    note({ subject, customerId: await ownerOf(db, subject), before: { alert: kind } });
    return { kind, subject };
  },

  async retry({ db, jobs, note }, { input: { subject } }) {
    const queues = await retrySubject(db, await jobs(), subject);
    if (queues.length === 0) throw new InvalidInput(`Nothing of ${subject} can be retried.`);
    note({ subject, after: { queues: queues.join(' ') } });
    return { subject, queues };
  },
};
