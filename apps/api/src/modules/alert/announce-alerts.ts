import { bangkokHour, isQuiet, shareOut } from '@fixpoint/domain/alert/messages.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { sql } from 'kysely';
import { type Alerting, type ConfiguredChannel, severities } from '../../ports/alert-channel.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { SAME_ALERT_MS, syncAlerts } from './alerts.ts';
import type { AlertKind } from './kinds.ts';
import { kindsFrom } from './message.ts';
import { severityOf } from './severities.ts';

const HOUR_MS = 60 * 60_000;
/** Nobody needs to hear later that an alert was resolved. */
const TOLD_MS = 7 * 24 * HOUR_MS;
/** A channel fails when a message was refused so often: a moment's silence is none. */
const FAILING_TRIES = 3;

export type AnnounceDeps = { db: Db; clock: Clock; jobs: Jobs; alerting: Alerting };

type Due = { kind: AlertKind; subject: string; opening: number; event: 'opened' | 'resolved' };

/**
 * Writes a delivery, with its job, for each alert of which a channel has to hear: those that are open, and those that were
 * resolved long enough ago not to be the same alert again. Compares what is with what was told, so nothing that fails
 * meanwhile is lost.
 */
export async function announceAlerts({ db, clock, jobs, alerting }: AnnounceDeps): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async tx => {
    // One at a time, so that no two count the same hour.
    await sql`select pg_advisory_xact_lock(hashtextextended('announce alerts', 0))`.execute(tx);
    await reopen(tx);
    await alertFailingChannels(tx, now, alerting);
    const quiet = isQuiet(now, alerting.quiet);
    const written: string[] = [];
    for (const channel of alerting.channels) {
      const due = await dueFor(tx, now, channel);
      for (const urgent of quiet ? [true] : [true, false]) {
        const group = due.filter(({ kind }) => (severityOf[kind] === 'critical') === urgent);
        if (group.length === 0) continue;
        const left = alerting.mostAnHour - (await sentInHour(tx, now, channel, urgent));
        written.push(...(await write(tx, now, channel, urgent, shareOut(group, left))));
      }
      if (bangkokHour(now) === alerting.digestHour) written.push(...(await writeDigest(tx, now, channel)));
    }
    const all = written.map(deliveryId => ({ deliveryId }));
    if (all.length > 0) await jobs.enqueueAll(tx, 'deliverAlert', all);
  });
}

/** A node of the version before, which knows no resolved alerts, has raised these again. */
const reopen = (tx: Db) =>
  sql`update alert set resolved_at = null, since = last_seen, openings = openings + 1
    where resolved_at < last_seen`.execute(tx);

/** The messages of a channel that fails wait; the other channels tell of it. */
async function alertFailingChannels(tx: Db, now: Date, { channels }: Alerting): Promise<void> {
  const { rows } = await sql<{ channel: string; waiting: number }>`
    select channel, count(*)::int as waiting from alert_delivery failed
    where sent_at is null and tries >= ${FAILING_TRIES} and tried_at >= coalesce(
      (select max(sent_at) from alert_delivery later where later.channel = failed.channel), '-infinity')
    group by channel`.execute(tx);
  const failing = rows.filter(({ channel }) => channels.some(({ name }) => name === channel));
  const alerts = failing.map(({ channel, waiting }) => ({ subject: channel, what: { waiting } }));
  await syncAlerts(tx, now, 'channel.failing', alerts);
}

/** What a channel has not been told: the most severe first, then the oldest. */
async function dueFor(tx: Db, now: Date, { name, least, kinds }: ConfiguredChannel): Promise<Due[]> {
  const told = kindsFrom(severities.slice(0, severities.indexOf(least) + 1), kinds);
  const settled = new Date(now.getTime() - SAME_ALERT_MS);
  const settledSince = new Date(now.getTime() - TOLD_MS);
  // Scalar subqueries find the one row of each alert; an anti-join would read all deliveries of the channel.
  const { rows } = await sql<Due>`
    select kind, subject, openings as opening, 'opened' as event, since as at from alert
    where resolved_at is null and kind = any(${told}) and not (kind = 'channel.failing' and subject = ${name})
      and (select true from alert_delivery delivery where delivery.kind = alert.kind
        and delivery.subject = alert.subject and opening = openings and channel = ${name} and event = 'opened') is null
    union all
    select alert.kind, alert.subject, openings, 'resolved', resolved_at
    from alert join alert_delivery delivery on delivery.kind = alert.kind and delivery.subject = alert.subject
      and opening = openings and channel = ${name} and event = 'opened' and sent_at is not null
    where resolved_at between ${settledSince} and ${settled}
      and (select true from alert_delivery other where other.kind = alert.kind
        and other.subject = alert.subject and other.opening = openings and other.channel = ${name}
        and other.event = 'resolved') is null
    order by at, kind, subject`.execute(tx);
  return rows.toSorted(
    (a, b) => severities.indexOf(severityOf[a.kind]) - severities.indexOf(severityOf[b.kind]),
  );
}

async function sentInHour(tx: Db, now: Date, { name }: ConfiguredChannel, urgent: boolean): Promise<number> {
  const { sent } = await tx
    .selectFrom('alert_delivery')
    .select(eb => eb.fn.countAll<number>().as('sent'))
    .where('channel', '=', name)
    .where('urgent', '=', urgent)
    .where('event', '<>', 'digest')
    .where('summary_id', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow();
  return sent;
}

/** @returns ids of the deliveries that a job sends */
async function write(
  tx: Db,
  now: Date,
  { name: channel }: ConfiguredChannel,
  urgent: boolean,
  { single, together }: { single: Due[]; together: Due[] },
): Promise<string[]> {
  const insert = async (rows: object[]): Promise<string[]> => {
    if (rows.length === 0) return [];
    const common = { channel, urgent, created_at: now };
    const values = rows.map(row => ({ ...common, ...(row as { event: 'opened' }) }));
    const written = await tx.insertInto('alert_delivery').values(values).returning('id').execute();
    return written.map(({ id }) => String(id));
  };
  const of = ({ kind, subject, opening, event }: Due) => ({ kind, subject, opening, event });
  const ids = await insert(single.map(of));
  if (together.length === 0) return ids;
  const [summary] = await insert([{ event: 'summary' }]);
  // As JSON: thousands of rows have more values than a statement may have parameters.
  await sql`insert into alert_delivery (channel, urgent, created_at, summary_id, kind, subject, opening, event)
    select ${channel}, ${urgent}, ${now}, ${summary}::bigint, kind, subject, opening, event
    from jsonb_to_recordset(${JSON.stringify(together.map(of))}::jsonb)
      as told(kind text, subject text, opening int, event text)`.execute(tx);
  return [...ids, summary!];
}

/** The digest of a Bangkok day, once. */
async function writeDigest(tx: Db, now: Date, { name: channel }: ConfiguredChannel): Promise<string[]> {
  const dayStart = new Date(`${bangkokDay(now)}T00:00:00+07:00`);
  const written = await tx
    .selectFrom('alert_delivery')
    .select('id')
    .where('channel', '=', channel)
    .where('event', '=', 'digest')
    .where('created_at', '>=', dayStart)
    .executeTakeFirst();
  if (written) return [];
  const row = { channel, event: 'digest' as const, created_at: now };
  const { id } = await tx.insertInto('alert_delivery').values(row).returning('id').executeTakeFirstOrThrow();
  return [String(id)];
}
