import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { VAT_NOTICE_MS, vatNoticeUntil } from '@fixpoint/domain/subscription/price-notice.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import { shownDay } from '../catalog/index.ts';
import { recordChange } from './change-plan.ts';
import type { SubscriptionDeps } from './deps.ts';
import { lockSubscription } from './store.ts';

/** Customers who bought this long ago are told at once of the rate of their first renewal, however far away it is. */
const BOUGHT_MS = 2 * 24 * 60 * 60_000;
/** Subscriptions that one statement looks at. */
const BATCH = 2_000;
/** Limit of a run; the notice period has a day to spare. */
const MOST = 5000;

/**
 * Renewing subscriptions whose customer was last told of, or paid, another rate than their next renewal has: `wanted`, from
 * `day` on. The law sets the day; they are told 31 days before it or before their renewal, whichever is later.
 */
function untold(db: Db, country: string, now: Date) {
  const noticed = new Date(now.getTime() + VAT_NOTICE_MS);
  const horizon = dayIn(country, noticed);
  const asked = sql<string>`greatest(${horizon}::date, ((s.period_end - interval '1 day') at time zone 'Asia/Bangkok')::date)`;
  return db
    .selectFrom(
      db
        .selectFrom('subscription as s')
        .select([
          's.id',
          sql<number>`coalesce(s.announced_vat_rate_bp, s.vat_rate_bp)`.as('told'),
          sql<number | null>`vat_rate_on(${country}, ${asked})`.as('wanted'),
          sql<string | null>`(select max(from_day) from vat_change
            where country = ${country} and from_day <= ${asked})`.as('day'),
        ])
        .where('s.status', 'in', ['active', 'pastDue'])
        .where('s.cancel_at_period_end', '=', false)
        .where(eb =>
          eb.or([
            eb('s.period_end', '<=', vatNoticeUntil(now)),
            eb('s.anchor_at', '>=', new Date(now.getTime() - BOUGHT_MS)),
          ]),
        )
        // Almost all renew within the notice period: one comparison with the rate at its end, not a rate for each of them.
        .where(
          sql<boolean>`(s.period_end > ${noticed} or coalesce(s.announced_vat_rate_bp, s.vat_rate_bp)
            <> (select vat_rate_on(${country}, ${horizon}::date)))`,
        )
        // Version 0.2 announced rates that no catalogue names: what it said holds until its day.
        .where(eb =>
          eb.or([
            eb('s.announced_vat_from', 'is', null),
            eb('s.announced_vat_day', 'is not', null),
            eb('s.announced_vat_from', '<=', now),
          ]),
        )
        .as('s'),
    )
    .selectAll()
    .where(sql<boolean>`wanted <> told`);
}

/**
 * Tells customers of the rate of VAT that their next renewal has, once each. One transaction per subscription: after a crash
 * the next run continues. A change that the catalogue no longer names is revoked.
 */
export async function announceVat(deps: SubscriptionDeps, country: string): Promise<void> {
  const { db, clock } = deps;
  let place = '';
  for (let told = 0; told < MOST; ) {
    const end = await batchAfter(db, place);
    const left = untold(db, country, clock.now()).where('id', '>', place).orderBy('id');
    const batch = await (end ? left.where('id', '<=', end) : left).execute();
    for (const { id } of batch) await db.transaction().execute(tx => tellOne(deps, tx, country, id));
    if (!end) return;
    place = end;
    told += batch.length;
  }
}

/** The last subscription of the batch that follows a place; undefined: all that are left are one. */
const batchAfter = async (db: Db, place: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('subscription')
      .select('id')
      .where('id', '>', place)
      .orderBy('id')
      .offset(BATCH - 1)
      .limit(1)
      .executeTakeFirst()
  )?.id;

async function tellOne(deps: SubscriptionDeps, tx: Db, country: string, id: string): Promise<void> {
  const now = deps.clock.now();
  const row = (await lockSubscription(tx, id))!;
  const found = await untold(tx, country, now).where('id', '=', id).executeTakeFirst();
  // It ended, was cancelled or renewed in the meantime.
  if (!found) return;
  const wanted = found.wanted!;
  const revokes = wanted === row.vat_rate_bp;
  const today = dayIn(country, now);
  // No email names a day that is past: a rate that applies already is told of from today.
  const day = revokes ? null : found.day && found.day > today ? found.day : today;
  // As pages and emails show that day, and as the previous version reads it.
  const from = day === null ? null : shownDay(day);
  const changed = await recordChange(
    deps,
    tx,
    row,
    revokes ? 'takeBack' : 'announce',
    {
      announced_vat_rate_bp: revokes ? null : wanted,
      announced_vat_from: from,
      announced_vat_day: day,
    },
    { of: 'vat', to: wanted, day: from?.toISOString() ?? null },
  );
  await deps.jobs.enqueue(tx, 'sendEmail', {
    template: revokes ? 'priceKept' : 'vatChange',
    customerId: row.customer_id,
    subjectId: id,
    copy: String(changed.version),
  });
}
