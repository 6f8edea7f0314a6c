import { sql } from 'kysely';
import type { Db } from '../../../ports/database.ts';

/** Seconds for which the oldest unprocessed webhook event of each gateway has waited. */
export async function webhookLag(db: Db, now: Date): Promise<Record<string, number>> {
  const { rows } = await sql<{ provider: string; seconds: number }>`
    select provider, greatest(extract(epoch from ${now}::timestamptz - min(received_at)), 0)::float8 as seconds
    from provider_event where processed_at is null group by provider`.execute(db);
  return Object.fromEntries(rows.map(({ provider, seconds }) => [provider, seconds]));
}
