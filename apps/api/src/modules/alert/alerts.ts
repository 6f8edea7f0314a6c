import { type Selectable, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { type AlertKind, alertKinds } from './kinds.ts';

/** Puts a matter on the list, or says that it was seen again. */
export async function raiseAlert(
  db: Db,
  now: Date,
  alert: { kind: AlertKind; subject: string; what?: Facts },
): Promise<void> {
  const { kind, subject, what = {} } = alert;
  await db
    .insertInto('alert')
    .values({ kind, subject, what, since: now, last_seen: now })
    .onConflict(conflict =>
      conflict.columns(['kind', 'subject']).doUpdateSet({
        what,
        last_seen: now,
        times: sql<number>`alert.times + 1`,
      }),
    )
    .execute();
}

/** The matters of these subjects are settled. @returns whether there was one */
export async function resolveAlert(db: Db, kind: AlertKind, ...subjects: string[]): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('alert')
    .where('kind', '=', kind)
    .where('subject', '=', sql<string>`any(${subjects})`)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** What the matters of these kinds are about has another name by now; nothing of them goes by that yet. */
export async function renameSubject(
  db: Db,
  kinds: readonly AlertKind[],
  names: { before: string; now: string },
): Promise<void> {
  await db
    .updateTable('alert')
    .set({ subject: names.now })
    .where('kind', 'in', kinds)
    .where('subject', '=', names.before)
    .execute();
}

/**
 * The open matters of a kind are exactly these: raised or seen again, all others mended.
 * @param like only those whose subject is like this (SQL)
 */
export async function syncAlerts(
  db: Db,
  now: Date,
  kind: AlertKind,
  alerts: readonly { subject: string; what?: Facts }[],
  like = '%',
): Promise<void> {
  await db
    .deleteFrom('alert')
    .where('kind', '=', kind)
    .where('subject', 'like', like)
    .$if(alerts.length > 0, qb =>
      qb.where('subject', '<>', sql<string>`all(${alerts.map(({ subject }) => subject)})`),
    )
    .execute();
  for (const alert of alerts) await raiseAlert(db, now, { kind, ...alert });
}

/** So many of one kind are listed: nobody reads more, and the other kinds would drown in them. */
export const MOST_OF_A_KIND = 20;

/** What is open, of each kind the oldest, each with its sentence and what to do; the oldest of all first. */
export async function listAlerts(db: Db) {
  const { rows } = await sql<Selectable<Tables['alert']>>`
    select open.* from unnest(${Object.keys(alertKinds)}::text[]) known (kind), lateral (
      select * from alert where alert.kind = known.kind order by since limit ${MOST_OF_A_KIND}
    ) open order by since, kind, subject`.execute(db);
  return rows.map(({ last_seen, ...row }) => {
    const { says } = alertKinds[row.kind as AlertKind];
    return { ...row, lastSeen: last_seen, says, remedy: remedyOf(row.kind, row.subject) };
  });
}

const remedyOf = (kind: string, subject: string): string =>
  alertKinds[kind as AlertKind].remedy.replaceAll('KIND', kind).replaceAll('SUBJECT', subject);

/** How many matters of each kind are open; a kind without one is 0, so that an alarm sees it go. */
export async function openAlertCounts(db: Db): Promise<Record<AlertKind, number>> {
  const rows = await db
    .selectFrom('alert')
    .select(eb => ['kind', eb.fn.countAll<number>().as('open')])
    .groupBy('kind')
    .execute();
  const none = Object.fromEntries(Object.keys(alertKinds).map(kind => [kind, 0]));
  return { ...none, ...Object.fromEntries(rows.map(({ kind, open }) => [kind, open])) } as Record<
    AlertKind,
    number
  >;
}

/** As what a subject is on the list. */
export async function openAlertKinds(db: Db, subject: string): Promise<AlertKind[]> {
  const rows = await db
    .selectFrom('alert')
    .select('kind')
    .where('subject', '=', subject)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => kind as AlertKind);
}

/** What only a command ends, which books where the money went: off the list, nobody would know that it is owed. */
const OWED: readonly AlertKind[] = ['refund.failed', 'payment.unapplied'];
class StillOwed extends Error {
  override name = 'StillOwed';
}

/** Takes a matter off the list by somebody's word. @throws StillOwed */
export async function resolveByStaff(db: Db, kind: AlertKind, subject: string): Promise<void> {
  if (OWED.includes(kind))
    throw new StillOwed(`The money of ${subject} is owed to its payer. ${remedyOf(kind, subject)}`);
  await resolveAlert(db, kind, subject);
}
