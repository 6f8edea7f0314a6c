import type { Db } from '@fixpoint/api/ports/database.ts';
import { sql } from 'kysely';

/**
 * Deletes all customers with what is theirs, as the owner of the tables, before the shop stops: it would search all rows of
 * the filler for secrets, which hold none.
 */
export async function emptyShop(db: Db): Promise<void> {
  // The audit log refuses that otherwise.
  await sql`alter table audit_detail disable trigger user`.execute(db);
  await sql`truncate customer, app_user, provider_event, limit_count, alert cascade`.execute(db);
}
