import { createMac, newId } from '../../crypto/secrets.ts';
import type { Db } from '../../ports/database.ts';

/** What identifies somebody who comes again. `card`: the fingerprint of a card; `paypal`: the ID of an account there. */
export type BlockedKind = 'email' | 'card' | 'paypal';

export type BlockList = ReturnType<typeof createBlockList>;

/**
 * An address without what its owner may change about it: `name+anything@` reaches the same mailbox.
 */
const plainAddress = (email: string): string =>
  email
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*(?=@)/, '');

/** The block list. @param root key from which the key of its hashes derives */
export function createBlockList(root: Buffer) {
  const mac = createMac(root, 'block list');
  const hashOf = (kind: BlockedKind, value: string): Buffer =>
    mac(`${kind}:${kind === 'email' ? plainAddress(value) : value}`);
  return {
    /** Whether an address, card or account is blocked now. */
    async holds(db: Db, now: Date, kind: BlockedKind, value: string): Promise<boolean> {
      const found = await db
        .selectFrom('block_entry')
        .select('id')
        .where('hash', '=', hashOf(kind, value))
        .where('kind', '=', kind)
        .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Entries, newest first. @param about a closed account (`cus_…`), or an email address that they keep from buying */
    list: (db: Db, about: string | undefined, limit: number) =>
      db
        .selectFrom('block_entry')
        .select(['id', 'kind', 'customer_id', 'reason', 'created_at', 'ends_at'])
        .$if(about !== undefined, qb =>
          about!.includes('@')
            ? qb.where('hash', '=', hashOf('email', about!)).where('kind', '=', 'email')
            : qb.where('customer_id', '=', about!),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Blocks what identifies the owner of an account. @param endsAt null: for good */
    async add(
      tx: Db,
      now: Date,
      of: { customerId: string; reason: string; endsAt: Date | null },
      values: readonly { kind: BlockedKind; value: string }[],
    ): Promise<void> {
      const { customerId: customer_id, reason, endsAt: ends_at } = of;
      for (const { kind, value } of values)
        await tx
          .insertInto('block_entry')
          .values({
            id: newId('blk'),
            kind,
            hash: hashOf(kind, value),
            customer_id,
            reason,
            created_at: now,
            ends_at,
          })
          .execute();
    },
  };
}

/** Takes everything of a closed account off the list. @returns the number of entries */
export async function unblock(tx: Db, customerId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('block_entry')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Takes one entry off the list. @returns undefined for an unknown one */
export const removeBlock = (tx: Db, id: string): Promise<{ kind: string; customer_id: string } | undefined> =>
  tx.deleteFrom('block_entry').where('id', '=', id).returning(['kind', 'customer_id']).executeTakeFirst();

/** Erases the reasons, in the words of staff, of an ended account; its entries stay until their end. */
export async function eraseBlockReasons(tx: Db, customerId: string): Promise<void> {
  await tx.updateTable('block_entry').set({ reason: '' }).where('customer_id', '=', customerId).execute();
}
