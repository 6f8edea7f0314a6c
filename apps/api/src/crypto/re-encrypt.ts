import type { Db } from '../ports/database.ts';
import type { ReEncrypt } from './vault.ts';

/**
 * Result of a re-encryption: values that were encrypted by another key, and values that no key
 * decrypts.
 */
export type ReEncrypted = { moved: number; lost: number };

/**
 * Re-encrypts values under the current master key, one row at a time. It can be interrupted and run
 * again; values under the current key are skipped (S80).
 * @param page the next rows after an id, in order
 * @param move re-encrypts one row and writes it if it is unchanged; returns whether anything was
 *   re-encrypted
 */
export async function reEncryptEach<R extends { id: string }>(
  page: (after: string) => Promise<R[]>,
  move: (row: R, seal: ReEncrypt) => Promise<boolean>,
  reEncrypt: ReEncrypt,
): Promise<ReEncrypted> {
  const done = { moved: 0, lost: 0 };
  const seal: ReEncrypt = (sealed, context) => {
    try {
      return reEncrypt(sealed, context);
    } catch {
      done.lost += 1;
      return undefined;
    }
  };
  for (let rows = await page(''); rows.length > 0; rows = await page(rows.at(-1)!.id))
    for (const row of rows) if (await move(row, seal)) done.moved += 1;
  return done;
}

/** Rows per page. */
export const PAGE = 500;

/** Runs re-encryptions one after the other and adds up their results. */
export async function reEncryptAll(
  db: Db,
  reEncrypt: ReEncrypt,
  moves: readonly ((db: Db, reEncrypt: ReEncrypt) => Promise<ReEncrypted>)[],
): Promise<ReEncrypted> {
  const all = { moved: 0, lost: 0 };
  for (const move of moves) {
    const { moved, lost } = await move(db, reEncrypt);
    all.moved += moved;
    all.lost += lost;
  }
  return all;
}
