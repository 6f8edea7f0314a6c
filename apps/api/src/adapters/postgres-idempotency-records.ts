import { sql } from 'kysely';
import { PAGE, type ReEncrypted, reEncryptEach } from '../crypto/re-encrypt.ts';
import { createMac } from '../crypto/secrets.ts';
import type { ReEncrypt, Vault } from '../crypto/vault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Claim, IdempotencyRecords } from '../ports/idempotency-records.ts';

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Longer than any call takes: a holder beyond it has crashed. */
const CLAIM_MS = 60_000;
const SWEPT_AT_ONCE = 5000;

const contextOf = (key: Buffer): string => `kept-answer:${key.toString('hex')}`;

/**
 * Idempotency records in PostgreSQL, so that any node can repeat an answer. Answers are encrypted
 * because they open payments, and requests are hashed under a key because they contain an email
 * address, so that a row reveals nothing.
 */
export function createPostgresIdempotencyRecords(
  db: Db,
  clock: Clock,
  { root, vault }: { root: Buffer; vault: Vault },
): IdempotencyRecords {
  const mac = createMac(root, 'kept answers');
  const after = (ms: number): Date => new Date(clock.now().getTime() + ms);

  /** @param attempt number of the claim; a holder that was overtaken changes nothing */
  const mine = (key: Buffer, attempt: number): Claim => {
    const end = (set: { answer_sealed?: Buffer; locked_until: Date }) =>
      db
        .updateTable('idempotency_record')
        .set(set)
        .where('key', '=', key)
        .where('attempt', '=', attempt)
        .where('answer_sealed', 'is', null)
        .execute();
    return {
      kind: 'mine',
      async store(answer) {
        await end({ answer_sealed: vault.seal(answer, contextOf(key)), locked_until: clock.now() });
      },
      async release() {
        await end({ locked_until: clock.now() });
      },
    };
  };

  return {
    async claim(name, asked) {
      const now = clock.now();
      const [key, body] = [mac(`name ${name}`), mac(`asked ${asked}`)];
      const { rows } = await sql<{ attempt: number }>`
        insert into idempotency_record as k (key, body, attempt, locked_until, ends_at)
        values (${key}, ${body}, 1, ${after(CLAIM_MS)}, ${after(LIFETIME_MS)})
        on conflict (key) do update set
          body = excluded.body, attempt = k.attempt + 1, locked_until = excluded.locked_until, ends_at = excluded.ends_at,
          answer_sealed = null
        where k.ends_at <= ${now}
          or (k.answer_sealed is null and k.locked_until <= ${now} and k.body = excluded.body)
        returning attempt`.execute(db);
      if (rows[0]) return mine(key, rows[0].attempt);
      const row = await db
        .selectFrom('idempotency_record')
        .select(['body', 'answer_sealed'])
        .where('key', '=', key)
        .executeTakeFirst();
      // Deleted meanwhile: the next check claims it.
      if (!row) return { kind: 'busy' };
      if (!row.body.equals(body)) return { kind: 'other' };
      const sealed = row.answer_sealed;
      return sealed ? { kind: 'answer', answer: vault.open(sealed, contextOf(key)) } : { kind: 'busy' };
    },

    async sweep() {
      await sql`delete from idempotency_record where ctid = any(array(
        select ctid from idempotency_record where ends_at < ${clock.now()} order by ends_at limit ${SWEPT_AT_ONCE}))`.execute(
        db,
      );
    },
  };
}

/** Re-encrypts the answers under the current master key (S80). */
export const reEncryptIdempotencyRecords = (db: Db, reEncrypt: ReEncrypt): Promise<ReEncrypted> =>
  reEncryptEach(
    async after => {
      const rows = await db
        .selectFrom('idempotency_record')
        .select(['key', 'answer_sealed'])
        .where('key', '>', Buffer.from(after, 'hex'))
        .orderBy('key')
        .limit(PAGE)
        .execute();
      return rows.map(row => ({ id: row.key.toString('hex'), ...row }));
    },
    async ({ key, answer_sealed: was }, seal) => {
      const sealed = was && seal(was, contextOf(key));
      if (!sealed) return false;
      await db
        .updateTable('idempotency_record')
        .set({ answer_sealed: sealed })
        .where('key', '=', key)
        .where('answer_sealed', '=', was)
        .execute();
      return true;
    },
    reEncrypt,
  );
