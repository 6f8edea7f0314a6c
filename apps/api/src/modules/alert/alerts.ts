import { type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import { type AlertKind, alertKinds } from './kinds.ts';
import { severityOf } from './severities.ts';

/** An alert that is raised again so soon after it was resolved is the same one; nobody hears of it twice. */
export const SAME_ALERT_MS = 10 * 60_000;

/** Raises an alert, or counts another occurrence of an open one. */
export async function raiseAlert(
  db: Db,
  now: Date,
  alert: { kind: AlertKind; subject: string; what?: Facts },
): Promise<void> {
  const { kind, subject, what = {} } = alert;
  const isNew = sql<boolean>`(alert.resolved_at <= ${new Date(now.getTime() - SAME_ALERT_MS)}) is true`;
  await db
    .insertInto('alert')
    .values({ kind, subject, what, since: now, last_seen: now })
    .onConflict(conflict =>
      conflict.columns(['kind', 'subject']).doUpdateSet({
        what,
        last_seen: now,
        resolved_at: null,
        since: sql<Date>`case when ${isNew} then ${now} else alert.since end`,
        times: sql<number>`case when ${isNew} then 1 else alert.times + 1 end`,
        openings: sql<number>`alert.openings + case when ${isNew} then 1 else 0 end`,
      }),
    )
    .execute();
}

/** Not before it was last seen: a command or another node may have a slower clock. */
const resolvedAt = (now: Date) => sql<Date>`greatest(${now}, alert.last_seen)`;

/** Resolves the alerts of these subjects. @returns whether one was open */
export async function resolveAlert(
  db: Db,
  now: Date,
  kind: AlertKind,
  ...subjects: string[]
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert')
    .set({ resolved_at: resolvedAt(now) })
    .where('kind', '=', kind)
    .where('subject', '=', sql<string>`any(${subjects})`)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renames the subject of open alerts. No alert of these kinds may be open under the new name. */
export async function renameSubject(
  db: Db,
  kinds: readonly AlertKind[],
  names: { before: string; now: string },
): Promise<void> {
  await db
    .deleteFrom('alert')
    .where('kind', 'in', kinds)
    .where('subject', '=', names.now)
    .where('resolved_at', 'is not', null)
    .execute();
  await db
    .updateTable('alert')
    .set({ subject: names.now })
    .where('kind', 'in', kinds)
    .where('subject', '=', names.before)
    .execute();
}

/**
 * Makes these the only open alerts of a kind: raises them and resolves all others.
 * @param like SQL pattern of the subjects that this call covers
 */
export async function syncAlerts(
  db: Db,
  now: Date,
  kind: AlertKind,
  alerts: readonly { subject: string; what?: Facts }[],
  like = '%',
): Promise<void> {
  await db
    .updateTable('alert')
    .set({ resolved_at: resolvedAt(now) })
    .where('kind', '=', kind)
    .where('resolved_at', 'is', null)
    .where('subject', 'like', like)
    .$if(alerts.length > 0, qb =>
      qb.where('subject', '<>', sql<string>`all(${alerts.map(({ subject }) => subject)})`),
    )
    .execute();
  for (const alert of alerts) await raiseAlert(db, now, { kind, ...alert });
}

/** The list shows up to this many alerts of a kind, so that one kind does not bury the others. */
export const MOST_OF_A_KIND = 20;

/** Open alerts with summary and remedy, oldest first: the oldest {@link MOST_OF_A_KIND} of each kind. */
export async function listAlerts(db: Db) {
  const { rows } = await sql<Selectable<Schema['open_alert']>>`
    select open.* from unnest(${Object.keys(alertKinds)}::text[]) known (kind), lateral (
      select * from open_alert where kind = known.kind order by since limit ${MOST_OF_A_KIND}
    ) open order by since, kind, subject`.execute(db);
  return rows.map(({ last_seen, ...row }) => {
    const { summary } = alertKinds[row.kind as AlertKind];
    return {
      ...row,
      lastSeen: last_seen,
      severity: severityOf[row.kind as AlertKind],
      summary,
      remedy: remedyOf(row.kind, row.subject),
    };
  });
}

export const remedyOf = (kind: string, subject: string): string =>
  alertKinds[kind as AlertKind].remedy.join('\n').replaceAll('KIND', kind).replaceAll('SUBJECT', subject);

/** Number of open alerts of every kind. Includes kinds with 0, so that monitoring sees an alert resolve. */
export async function openAlertCounts(db: Db): Promise<Record<AlertKind, number>> {
  const rows = await db
    .selectFrom('open_alert')
    .select(eb => ['kind', eb.fn.countAll<number>().as('open')])
    .groupBy('kind')
    .execute();
  const none = Object.fromEntries(Object.keys(alertKinds).map(kind => [kind, 0]));
  return { ...none, ...Object.fromEntries(rows.map(({ kind, open }) => [kind, open])) } as Record<
    AlertKind,
    number
  >;
}

/** Kinds of the open alerts of each subject that has some. */
export async function openAlertKinds(db: Db, subjects: readonly string[]): Promise<Map<string, AlertKind[]>> {
  const rows = await db
    .selectFrom('open_alert')
    .select(['kind', 'subject'])
    .where('subject', '=', sql<string>`any(${subjects})`)
    .orderBy('kind')
    .execute();
  const kinds = new Map<string, AlertKind[]>();
  for (const { kind, subject } of rows)
    kinds.set(subject, [...(kinds.get(subject) ?? []), kind as AlertKind]);
  return kinds;
}

/** Kinds that only a command which books the money may resolve: without the alert nobody would know of the debt. */
const MONEY_DUE: readonly AlertKind[] = [
  ...(['refund.failed', 'refund.refused', 'refund.gone'] as const),
  'payment.unapplied',
];
class MoneyStillDue extends Error {
  override name = 'MoneyStillDue';
}

/** Resolves an alert at the request of staff. @throws MoneyStillDue */
export async function resolveByStaff(db: Db, now: Date, kind: AlertKind, subject: string): Promise<void> {
  if (MONEY_DUE.includes(kind))
    throw new MoneyStillDue(
      `The money of ${subject} still belongs to its payer.\n${remedyOf(kind, subject)}`,
    );
  await resolveAlert(db, now, kind, subject);
}
