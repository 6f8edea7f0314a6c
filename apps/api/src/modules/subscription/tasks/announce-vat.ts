import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import type { SubscriptionDeps } from '../deps.ts';
import { announceVat } from '../vat-notice.ts';

type Deps = TaskDeps & Pick<SubscriptionDeps, 'live'> & { env: { SALE_COUNTRY: string } };

export const announceVatTask: ScheduledTask<Deps> = {
  name: 'announceVatChange',
  interval: 'hour',
  description:
    'Notifies customers who renew at another rate of VAT: 31 days before its day or their renewal, and after a purchase at once.',
  queue: 'sendEmail',
  run: deps => announceVat(deps, deps.env.SALE_COUNTRY),
};
