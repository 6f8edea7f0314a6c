import { compareAgents } from '@fixpoint/domain/host/agent-version.ts';
import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import { syncAlerts } from '../../alert/index.ts';

export const alertOldAgentsTask: ScheduledTask<TaskDeps & { newestAgent: () => Promise<string> }> = {
  name: 'alertOldAgents',
  interval: 'hour',
  description:
    'Raises an alert for each VPN host whose agent is older than the newest one here, and resolves those that were updated.',
  async run({ db, clock, newestAgent }) {
    const newest = await newestAgent();
    const hosts = await db
      .selectFrom('host')
      .select(['id', 'agent_version'])
      .where('status', '=', 'active')
      .where('agent_version', 'is not', null)
      .execute();
    const old = hosts.filter(({ agent_version }) => (compareAgents(agent_version!, newest) ?? 0) < 0);
    const alerts = old.map(({ id, agent_version }) => ({
      subject: id,
      what: { agent: agent_version!, newest },
    }));
    await syncAlerts(db, clock.now(), 'host.oldAgent', alerts);
  },
};
