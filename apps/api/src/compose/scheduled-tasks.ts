import { retentionYears } from '@fixpoint/domain/billing/retention.ts';
import { emailBacklog, failingQueues } from '../adapters/jobs/failing.ts';
import { migrate } from '../database/migrate.ts';
import { otherNodes } from '../database/nodes.ts';
import type { Backfill } from '../jobs/backfill.ts';
import { bindTask, watched } from '../jobs/scheduled-tasks.ts';
import type { ApiWatch } from '../jobs/tasks/alert-no-api.ts';
import { commonTasks } from '../jobs/tasks/index.ts';
import { accountTasks } from '../modules/account/index.ts';
import { alertTasks } from '../modules/alert/index.ts';
import { backupTasks } from '../modules/backup/index.ts';
import { billingTasks } from '../modules/billing/index.ts';
import { booksTasks } from '../modules/books/index.ts';
import { catalogTasks } from '../modules/catalog/index.ts';
import { checkoutTasks } from '../modules/checkout/index.ts';
import { emailTasks } from '../modules/email/index.ts';
import { keyTasks } from '../modules/key/index.ts';
import { paymentTasks } from '../modules/payment/index.ts';
import { provisioningTasks } from '../modules/provisioning/index.ts';
import { staffTasks } from '../modules/staff/index.ts';
import { subscriptionTasks } from '../modules/subscription/index.ts';
import { teamTasks } from '../modules/team/index.ts';
import type { ScheduledTask } from '../ports/jobs.ts';
import { backfillsOf } from './backfills.ts';
import { newestAgent } from './host-setup/agent-packages.ts';
import type { Parts } from './parts.ts';

type AllTaskDeps = Parts & {
  failingQueues: typeof failingQueues;
  emailBacklog: typeof emailBacklog;
  /** Years of legal retention of invoices. */
  retentionYears: number;
  otherNodes: typeof otherNodes;
  leastFreeAddresses: number;
  newestAgent: () => Promise<string>;
  backfills: readonly Backfill[];
  /** Applies the migrations that waited at the start. */
  migrateLater: () => Promise<void>;
  /** When this program started, by the system clock. */
  startedAt: Date;
  apiWatch: ApiWatch;
};

/** All scheduled tasks of the shop, in no order. `docs/operate/reference.md` lists them. */
export const scheduledTasks: readonly ScheduledTask<AllTaskDeps>[] = [
  ...commonTasks,
  ...paymentTasks,
  ...billingTasks,
  ...checkoutTasks,
  ...subscriptionTasks,
  ...provisioningTasks,
  ...keyTasks,
  ...accountTasks,
  ...teamTasks,
  ...booksTasks,
  ...emailTasks,
  ...staffTasks,
  ...catalogTasks,
  ...backupTasks,
  // After all that raise alerts, which matters where tasks run one after the other.
  ...alertTasks,
];

export type ShopTasks = ReturnType<typeof bindAllTasks>;

/**
 * Binds all tasks to the parts of this shop, and adds their alerts.
 * @param waiting migrations that wait for nodes of an older version
 */
export function bindAllTasks(parts: Parts, waiting: readonly string[]): ReturnType<typeof watched> {
  const { env, systemClock } = parts;
  let left = waiting;
  const deps: AllTaskDeps = {
    ...parts,
    failingQueues,
    emailBacklog,
    retentionYears: env.INVOICES_KEPT_YEARS ?? retentionYears(env.SALE_COUNTRY),
    otherNodes,
    leastFreeAddresses: env.ALERT_FREE_ADDRESSES,
    newestAgent: () => newestAgent(env.AGENT_PACKAGES_DIR),
    backfills: backfillsOf(env),
    async migrateLater() {
      if (left.length > 0) left = await migrate(env.DATABASE_URL);
    },
    startedAt: systemClock.now(),
    apiWatch: {},
  };
  return watched(
    parts,
    scheduledTasks.map(task => bindTask(task, deps)),
  );
}
