import { sql } from 'kysely';
import { minute } from '../../kernel/minute.ts';
import type { Db } from '../../ports/database.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { syncAlerts } from '../alert/index.ts';
import { placeId } from '../catalog/index.ts';
import type { SubscriptionDeps } from './deps.ts';

/** Who was told that he has to wait expects days of it, and not weeks that nobody knows of. */
const LONG_MS = 3 * 24 * 60 * 60_000;

type Waits = { provider: string; region: string; vendor: string; waiting: number; since: Date };

/** Places at which somebody has paid and waits for longer than that, since he bought or has taken it up again. */
async function longWaits(db: Db, now: Date): Promise<Waits[]> {
  const before = new Date(now.getTime() - LONG_MS);
  const { rows } = await sql<Waits>`
    select provider_id as provider, region_id as region, vendor_id as vendor,
      count(*)::int as waiting, min(begun.at) as since
    from subscription join product on product.id = product_id
    cross join lateral (
      select coalesce(max(at), subscription.created_at) as at from subscription_history
      where subscription_id = subscription.id and to_status = 'provisioning'
    ) begun
    where status = 'provisioning' and subscription.created_at <= ${before} and begun.at <= ${before}
    group by provider_id, region_id, vendor_id
    order by provider_id, region_id, vendor_id`.execute(db);
  return rows;
}

/** Keeps those places on the list of what needs somebody's hand, and no others. */
export const longWaitsTask = ({ db, clock }: Pick<SubscriptionDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'tellLongWaits',
  async run() {
    const alerts = (await longWaits(db, clock.now())).map(({ waiting, since, ...place }) => ({
      subject: placeId(place),
      what: { waiting, since: minute(since) },
    }));
    await syncAlerts(db, clock.now(), 'subscription.waiting', alerts);
  },
});
