import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/**
 * What was paid back of these invoices since an upgrade last reckoned with it, gross. What became credit does not count:
 * it is the rest that an upgrade has reckoned itself, or the money of one that came too late and paid for no day.
 */
export async function givenBack(
  db: Db,
  invoices: readonly { id: string; upgraded_at: Date | null }[],
): Promise<number> {
  const reckoned = Math.max(0, ...invoices.map(({ upgraded_at: at }) => at?.getTime() ?? 0));
  const { total } = await db
    .selectFrom('credit_note')
    .select(eb => sql<number>`coalesce(${eb.fn.sum('total')}, 0)::bigint`.as('total'))
    .where('invoice_id', '=', sql<string>`any(${invoices.map(({ id }) => id)})`)
    .where('kept', '=', false)
    .where('issued_at', '>', new Date(reckoned))
    .executeTakeFirstOrThrow();
  return total;
}
