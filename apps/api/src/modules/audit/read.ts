import type { RecordedAction } from '@fixpoint/contract/recorded-actions.ts';
import { type RawBuilder, sql } from 'kysely';
import { isPseudonym } from '../../kernel/pseudonym.ts';
import type { Db } from '../../ports/database.ts';
import { detailHash, entryHash, FIRST } from './record.ts';

/** Entries of the audit log, newest first. @param subject only those about it */
export async function listEntries(
  db: Db,
  { subject, limit }: { subject?: string | undefined; limit: number },
) {
  return db
    .selectFrom('audit_entry as entry')
    .leftJoin('audit_detail as detail', 'detail.seq', 'entry.seq')
    .select(['entry.seq', 'entry.at', 'actor', 'entry.operation', 'phase', 'subject', 'before', 'after'])
    .select(['detail.detail', 'detail_hash'])
    .$if(subject !== undefined, qb =>
      // Each half by its own index; one condition over both tables would read all entries.
      qb.where(
        sql<boolean>`entry.seq in (select seq from audit_entry where subject = ${subject!}
          union all select seq from audit_detail where customer_id = ${subject!})`,
      ),
    )
    .orderBy('entry.seq', 'desc')
    .limit(limit)
    .execute();
}

/** Who of staff read the page of a customer, newest first. @param customerId all customers without it */
export const listReads = (db: Db, customerId: string | undefined, limit: number) =>
  db
    .selectFrom('audit_read')
    .select(['at', 'actor', 'customer_id as customerId'])
    .$if(customerId !== undefined, qb => qb.where('customer_id', '=', customerId!))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();

const BATCH = 1_000;

/** Result of a check of the chain: the first entry that is wrong, and why. */
export type Verified = {
  entries: number;
  /** Details that were erased with their account. */
  erased: number;
  /** Hash of the newest entry: kept elsewhere, it shows later that no entry is missing at the end. */
  head: string;
  fault?: { seq: number; what: string };
  /** Whether the chain has an entry of the given hash. */
  holdsHead?: boolean;
};

/** Recomputes the whole chain. */
export async function verifyChain(db: Db, head?: string): Promise<Verified> {
  let [previous, entries, erased, holdsHead] = [FIRST, 0, 0, false];
  for (;;) {
    const rows = await db
      .selectFrom('audit_entry as entry')
      .leftJoin('audit_detail as detail', 'detail.seq', 'entry.seq')
      .selectAll('entry')
      .select(['detail.salt', 'detail.detail'])
      .where('entry.seq', '>', entries)
      .orderBy('entry.seq')
      .limit(BATCH)
      .execute();
    for (const { salt, detail, ...row } of rows) {
      const entry = { ...row, seq: Number(row.seq) };
      const fault = (what: string) => ({ entries, erased, head: previous, fault: { seq: entry.seq, what } });
      if (entry.seq !== entries + 1) return fault(`entry ${entries + 1} is missing`);
      if (entry.previous !== previous) return fault('it does not follow the entry before it');
      if (entry.hash !== entryHash(entry)) return fault('it was changed');
      if (entry.detail_hash && salt === null) erased += 1;
      else if (salt !== null && detailHash(salt, detail) !== entry.detail_hash)
        return fault('its detail was changed');
      [previous, entries] = [entry.hash, entry.seq];
      holdsHead ||= entry.hash === head;
    }
    if (rows.length < BATCH) return { entries, erased, head: previous, ...(head && { holdsHead }) };
  }
}

/** What staff did to an account, for the export of the customer's data. */
export async function staffActionsOf(db: Db, customerId: string): Promise<Record<string, unknown>> {
  const rows = await db
    .selectFrom('audit_detail')
    .select(['at', 'operation', 'detail'])
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`detail ? 'reason'`)
    .orderBy('seq')
    .execute();
  return { staffActions: rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })) };
}

/** Most that an owner is shown. */
const MOST_ACTIONS = 100;

/** SQL: the ID that a user has now, who may have got it when they left the customer that they founded. */
const presentId = (id: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce((select founder_id from customer where customer.id = ${id}), ${id})`;

/** What users did for a customer, newest first. Names are those of now; whoever was erased has none. */
export async function actionsOf(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('audit_detail as detail')
    .innerJoin('audit_entry as entry', 'entry.seq', 'detail.seq')
    .leftJoin('app_user as user', join => join.on('user.id', '=', presentId(sql`detail.detail ->> 'by'`)))
    .leftJoin('app_user as other', join => join.on('other.id', '=', presentId(sql.ref('entry.subject'))))
    .select(['entry.at', 'entry.operation', 'user.name', 'user.email', 'other.email as other'])
    .select(
      sql<string | null>`coalesce(
      detail.detail ->> 'about',
      (select coalesce(s.label, host(ip.address)) from subscription s
        left join static_ip ip on ip.subscription_id = s.id where s.id = entry.subject),
      (select number from invoice where invoice.id = entry.subject),
      (select email from invitation where invitation.id = entry.subject)
    )`.as('about'),
    )
    .where('detail.customer_id', '=', customerId)
    .where(sql<boolean>`detail.detail ? 'by'`)
    .orderBy('detail.seq', 'desc')
    .limit(MOST_ACTIONS)
    .execute();
  const present = (email: string | null) => (email && !isPseudonym(email) ? email : undefined);
  return rows.map(({ at, operation, name, email, other, about }) => ({
    at: at.toISOString(),
    by: name ?? present(email),
    action: operation as RecordedAction,
    about: about ?? present(other),
  }));
}

/**
 * Erases the personal values of an ended account, and who invited its address. The chain keeps their salted hash, which names
 * nobody.
 */
export async function eraseDetails(tx: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await tx.deleteFrom('audit_detail').where('customer_id', '=', id).execute();
  await tx
    .deleteFrom('audit_detail')
    // A literal, because the index covers invitations only.
    .where('operation', '=', sql.lit('invite'))
    .where(sql<boolean>`detail ->> 'about' = ${email}`)
    .execute();
}
