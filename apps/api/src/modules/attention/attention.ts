import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import { type AttentionKind, attentionKinds } from './kinds.ts';

/** Puts a matter on the list, or says that it was seen again. */
export async function raise(
  db: Db,
  now: Date,
  matter: { kind: AttentionKind; subject: string; what?: Facts },
): Promise<void> {
  const { kind, subject, what = {} } = matter;
  await db
    .insertInto('attention')
    .values({ kind, subject, what, since: now, last_seen: now })
    .onConflict(conflict =>
      conflict.columns(['kind', 'subject']).doUpdateSet({
        what,
        last_seen: now,
        times: sql<number>`attention.times + 1`,
      }),
    )
    .execute();
}

/** The matter is settled. */
export async function mend(db: Db, kind: AttentionKind, subject: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('attention')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Everything that is open, the oldest first, each with its sentence and what to do. */
export async function attentionList(db: Db) {
  const rows = await db.selectFrom('attention').selectAll().orderBy('since').execute();
  return rows.map(row => {
    const known = attentionKinds[row.kind as AttentionKind] as { says: string; remedy: string } | undefined;
    return { ...row, says: known?.says ?? row.kind, remedy: known?.remedy ?? '' };
  });
}
