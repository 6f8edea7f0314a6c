import { randomBytes } from 'node:crypto';
import type { RecordedAction } from '@fixpoint/contract/recorded-actions.ts';
import { sql } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Facts } from '../../ports/json-columns.ts';
import { canonical, sha256 } from './canonical.ts';

/** Facts of a change that an operation notes for the audit log. */
export type AuditNote = {
  /** What it changed: an ID, never an address or a name of a person. */
  subject?: string;
  /** Of what matters, before and after; no secrets, no connection data, no IP address. */
  before?: Facts;
  after?: Facts;
  /** Whose account it concerns: the reason, which may name a person, is erased with it. */
  customerId?: string | undefined;
  /** What one change means for each of several customers: an entry of its own for each, with the reason. */
  customers?: readonly { id: string; after: Facts }[];
};

export type Change = Omit<AuditNote, 'customers'> & {
  at: Date;
  actor: string;
  operation: string;
  phase: 'begun' | 'done';
  reason?: string | undefined;
  /** Personal values instead of a reason. */
  detail?: Facts;
};

/** Number of the advisory lock that orders the entries. */
const LOCK = 7_220_022;
export const FIRST = '0'.repeat(64);

export type Chained = {
  seq: number;
  at: Date;
  actor: string;
  operation: string;
  phase: string;
  subject: string | null;
  before: unknown;
  after: unknown;
  detail_hash: string | null;
  previous: string;
};

/** Hash of an entry, which covers the hash of the entry before it. */
export const entryHash = (entry: Chained): string =>
  sha256(
    canonical([
      ...[entry.seq, entry.at.toISOString(), entry.actor, entry.operation, entry.phase, entry.subject],
      ...[entry.before, entry.after, entry.detail_hash, entry.previous],
    ]),
  );

export const detailHash = (salt: string, detail: unknown): string => sha256(`${salt}\n${canonical(detail)}`);

/** Entries that one statement writes. */
const BATCH = 1_000;

/**
 * Writes entries in their order. The last statements of the transaction of the change: the lock orders entries by commit, and
 * nothing slow may wait behind it.
 */
export async function recordChanges(tx: Db, changes: readonly Change[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
  const last = await tx
    .selectFrom('audit_entry')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  let [seq, previous] = [Number(last?.seq ?? 0), last?.hash ?? FIRST];
  const written = changes.map(change => {
    seq += 1;
    const { entry, detail } = chained(change, seq, previous);
    previous = entry.hash;
    return { entry, detail };
  });
  for (let from = 0; from < written.length; from += BATCH) {
    const batch = written.slice(from, from + BATCH);
    await tx
      .insertInto('audit_entry')
      .values(batch.map(({ entry }) => entry))
      .execute();
    const details = batch.flatMap(({ detail }) => detail ?? []);
    if (details.length > 0) await tx.insertInto('audit_detail').values(details).execute();
  }
}

/** Writes one entry, as {@link recordChanges}. */
export const recordChange = (tx: Db, change: Change): Promise<void> => recordChanges(tx, [change]);

/** An entry behind the one whose hash is `previous`, and its personal values. */
function chained(change: Change, seq: number, previous: string) {
  const { at, actor, operation, phase, subject = null, before = null, after = null, reason } = change;
  const detail = reason === undefined ? change.detail : { reason };
  const salt = detail && randomBytes(16).toString('hex');
  const detail_hash = salt ? detailHash(salt, detail) : null;
  const entry = { seq, at, actor, operation, phase, subject, before, after, detail_hash, previous };
  return {
    entry: { ...entry, hash: entryHash(entry) },
    detail: salt ? { seq, customer_id: change.customerId ?? null, at, operation, salt, detail } : undefined,
  };
}

/**
 * Records what a user did for a customer, once it is done. Like {@link recordChange}, the last of a transaction.
 * @param about what it was about in words, which are erased with the account
 */
export function recordAction(
  tx: Db,
  { at, userId, customerId, action, subject, about }: DoneAction,
): Promise<void> {
  const detail = { by: userId, ...(about !== undefined && { about }) };
  const done = { at, actor: `user:${userId}`, operation: action, phase: 'done' as const };
  return recordChange(tx, { ...done, customerId, detail, ...(subject !== undefined && { subject }) });
}

export type DoneAction = {
  at: Date;
  userId: string;
  customerId: string;
  action: RecordedAction;
  subject?: string | undefined;
  about?: string | undefined;
};

/** Records that staff read a customer's page. */
export async function recordRead(
  db: Db,
  read: { at: Date; actor: string; operation: string; customerId: string },
): Promise<void> {
  const { customerId, ...rest } = read;
  await db
    .insertInto('audit_read')
    .values({ ...rest, customer_id: customerId })
    .execute();
}
