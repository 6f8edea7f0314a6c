import { sql } from 'kysely';
import {
  type Alerting,
  type AlertMessage,
  type ConfiguredChannel,
  severities,
} from '../../ports/alert-channel.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { alertMessage, digestMessage, kindsFrom, summaryMessage } from './message.ts';

export type DeliverDeps = { db: Db; clock: Clock; alerting: Alerting };

/** Sends a delivery through its channel. One of a channel that is configured no more is left unsent. */
export async function deliverAlert({ db, clock, alerting }: DeliverDeps, deliveryId: string): Promise<void> {
  const delivery = await db
    .selectFrom('alert_delivery')
    .selectAll()
    .where('id', '=', Number(deliveryId))
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  const channel = alerting.channels.find(({ name }) => name === delivery?.channel);
  if (!delivery || !channel) return;
  const message = await messageOf(db, alerting, channel, delivery);
  const tried = { tried_at: clock.now(), tries: delivery.tries + 1 };
  try {
    if (message) await channel.send(message);
  } catch (error) {
    await db.updateTable('alert_delivery').set(tried).where('id', '=', delivery.id).execute();
    throw error;
  }
  await db
    .updateTable('alert_delivery')
    .set({ ...tried, sent_at: tried.tried_at })
    .where(({ or, eb }) => or([eb('id', '=', delivery.id), eb('summary_id', '=', delivery.id)]))
    .execute();
}

type Delivery = {
  id: number;
  event: 'opened' | 'resolved' | 'summary' | 'digest';
  kind: string | null;
  subject: string | null;
  urgent: boolean;
  created_at: Date;
};

/** @returns undefined where nothing is to be said any more */
async function messageOf(
  db: Db,
  origin: Alerting,
  { least, kinds }: ConfiguredChannel,
  { id: of, event, kind, subject, urgent, created_at }: Delivery,
): Promise<AlertMessage | undefined> {
  // With the time: a shop that was restored from a backup uses numbers again.
  const id = `alert-${of}-${Math.floor(created_at.getTime() / 1000)}`;
  const alerts = db.selectFrom('alert').select(['kind', 'subject', 'what', 'since', 'resolved_at']);
  if (event === 'opened' || event === 'resolved') {
    const row = await alerts.where('kind', '=', kind!).where('subject', '=', subject!).executeTakeFirst();
    return row && alertMessage(origin, id, event, row);
  }
  if (event === 'summary') {
    const rows = await db
      .selectFrom('alert_delivery')
      .select([sql<string>`kind`.as('kind'), 'event'])
      .where('summary_id', '=', of)
      .execute();
    return summaryMessage(origin, id, urgent ? 'critical' : 'warning', rows);
  }
  const told = kindsFrom(severities.slice(0, severities.indexOf(least) + 1), kinds);
  const open = await alerts
    .where('resolved_at', 'is', null)
    .where('kind', '=', sql<string>`any(${told})`)
    .orderBy('since')
    .execute();
  return open.length > 0 ? digestMessage(origin, id, open) : undefined;
}
